// SPDX-License-Identifier: GPL-3.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <array>
#include <iostream>
#include <memory>

#include "app/cifar_download.h"
#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/event_loop.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/verbs.h"
#include "app/text.h"
#include "common/dataset.h"
#include "common/failure.h"

namespace aether::app::cli {
namespace {

namespace fs = std::filesystem;

struct DataArguments {
    std::string folder;
    int images = 256;
    std::string url = kCifarUrl;
};

void printSet(const char* name, const ImageSet& set) {
    std::array<int, 10> classes{};
    for (const std::int32_t label : set.labels)
        ++classes[static_cast<std::size_t>(label) % classes.size()];
    std::cout << name << ": " << set.count() << " images " << set.shape.height << "×"
              << set.shape.width << "×" << set.shape.channels << ", per class";
    for (const int count : classes)
        std::cout << ' ' << count;
    std::cout << '\n';
}

int info(const DataArguments& arguments) {
    try {
        const Dataset data = loadCifar10(arguments.folder);
        printSet("training", data.train);
        printSet("test", data.test);
        return kFine;
    } catch (const Failure& failure) {
        throw Failure(FailureKind::Internal, failure.what());  // the data is wrong, not the usage
    }
}

/// The first images of the synthetic set in CIFAR-10's form.
int make(const DataArguments& arguments) {
    const fs::path folder = arguments.folder;
    for (const char* file : {"data_batch_1.bin", "test_batch.bin"}) {
        if (fs::exists(folder / file)) {
            throw Failure(FailureKind::Usage,
                          (folder / file).string() + " exists; nothing is overwritten");
        }
    }
    fs::create_directories(folder);
    const Workload workload = loadWorkload(workloadPath("cifar10-v1"));
    Dataset data = syntheticDataset(workload, workload.seed);
    const auto shorten = [&](ImageSet& set, std::size_t count) {
        count = std::min(count, set.count());
        set.labels.resize(count);
        set.pixels.resize(count * static_cast<std::size_t>(set.shape.elements()));
    };
    shorten(data.train, static_cast<std::size_t>(arguments.images));
    shorten(data.test, static_cast<std::size_t>(std::max(1, arguments.images / 4)));
    writeCifar10(data.train, folder / "data_batch_1.bin");
    writeCifar10(data.test, folder / "test_batch.bin");
    std::cout << folder.string() << ": " << data.train.count() << " training and "
              << data.test.count() << " test images, synthetic\n";
    return kFine;
}

Task<int> fetch(const DataArguments& arguments) {
    Console console(false);
    Interrupt interrupt;
    CifarDownload download(fs::absolute(arguments.folder), arguments.url, kCifarSha256);
    QObject::connect(&interrupt, &Interrupt::raised, &download, &CifarDownload::cancel);
    console.say("downloading " + arguments.url + " (170 MB)");
    const Completion<bool> done = signalOf(&download, &CifarDownload::finished);
    download.start();
    co_await done;
    if (interrupt.seen()) co_return kInterrupted;
    if (!download.trouble().empty()) throw Failure(FailureKind::Unavailable, download.trouble());
    std::cout << arguments.folder << '\n';
    co_return kFine;
}

}  // namespace

void addDataVerb(CLI::App& app, Verb& chosen) {
    auto arguments = std::make_shared<DataArguments>();
    CLI::App* data = app.add_subcommand(
        "data", "CIFAR-10 in its binary form: inspect, make small files, download");
    data->require_subcommand(1);
    CLI::App* infoVerb =
        data->add_subcommand("info", "Check a folder and count its images per class");
    infoVerb
        ->add_option("folder", arguments->folder, "Folder with data_batch_*.bin and test_batch.bin")
        ->type_name("DIR")
        ->required();
    infoVerb->footer("Example:\n  aether-bench data info ~/cifar-10-batches-bin");
    CLI::App* makeVerb =
        data->add_subcommand("make", "Write small valid files with synthetic images");
    makeVerb->add_option("folder", arguments->folder, "New or empty folder")
        ->type_name("DIR")
        ->required();
    makeVerb
        ->add_option("--images", arguments->images,
                     "Training images; a quarter as many for the test")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1, 2048));
    makeVerb->footer("Example:\n  aether-bench data make small-cifar --images 512");
    CLI::App* fetchVerb =
        data->add_subcommand("fetch", "Download CIFAR-10 with curl and check its SHA-256");
    fetchVerb->add_option("folder", arguments->folder, "Where the .bin files go")
        ->type_name("DIR")
        ->required();
    fetchVerb->add_option("--url", arguments->url, "Another source of the same archive")
        ->type_name("URL")
        ->capture_default_str();
    fetchVerb->footer("Example:\n  aether-bench data fetch ~/cifar-10-batches-bin");
    data->footer(
        "Examples:\n  aether-bench data info DIR\n  aether-bench data make DIR\n  aether-bench "
        "data fetch DIR");
    infoVerb->callback([arguments, &chosen] { chosen = [arguments] { return info(*arguments); }; });
    makeVerb->callback([arguments, &chosen] { chosen = [arguments] { return make(*arguments); }; });
    fetchVerb->callback([arguments, &chosen] {
        chosen = [arguments] { return runOnEventLoop(fetch(*arguments)); };
    });
}

}  // namespace aether::app::cli
