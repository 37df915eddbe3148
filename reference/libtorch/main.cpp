// SPDX-License-Identifier: MIT
#include "common/runner_server.h"
#include "reference/libtorch/backend.h"

int main() {
    aether::reference::Backend backend;
    return aether::serveStandardStreams(backend);
}
