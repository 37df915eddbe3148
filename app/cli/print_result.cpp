// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/print_result.h"

#include <iostream>

#include "app/cli/console.h"
#include "app/report/writers.h"

namespace aether::app::cli {

void printResult(const Result& result, const std::string& format, bool header) {
    if (format == "json") {
        writeJson(std::cout, result);
    } else if (format == "jsonl") {
        writeJsonLines(std::cout, result);
    } else if (format == "csv") {
        writeCsv(std::cout, result, header);
    } else if (format == "md") {
        writeMarkdown(std::cout, result);
    } else {
        writeTable(std::cout, result, outputWidth());
    }
    std::cout.flush();
}

}  // namespace aether::app::cli
