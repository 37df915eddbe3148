// SPDX-License-Identifier: MIT
#include "common/runner_server.h"
#include "engine/cpu/backend.h"

int main() {
    aether::engine::cpu::Backend backend;
    return aether::serveStandardStreams(backend);
}
