// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/discover.h"

#include "app/cli/event_loop.h"

namespace aether::app::cli {

Task<std::vector<RunnerInfo>> discover(const RunnerArguments& arguments, Console& console,
                                       Interrupt& interrupt) {
    Discovery discovery(arguments.catalogue(), arguments.silence());
    console.progress("asking the runners …");
    QObject::connect(&interrupt, &Interrupt::raised, &discovery, &Discovery::cancel);
    const Completion<bool> done = signalOf(&discovery, &Discovery::finished);
    discovery.start();
    co_await done;
    console.clearStatus();
    co_return discovery.runners();
}

}  // namespace aether::app::cli
