// SPDX-License-Identifier: GPL-3.0-only
#include "app/result_settings.h"

#include "app/text.h"

namespace aether::app {
namespace {

bool differs(const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
}

std::string threadsText(int threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string instructionSetText(const Result& result) {
    const std::string& chosen = result.session.instructionSet;
    return chosen.empty() ? "the best" : oneLine(chosen);
}

}  // namespace

std::vector<std::string> differentWork(const Result& a, const Result& b) {
    std::vector<std::string> out;
    if (a.workloadName != b.workloadName) {
        out.push_back("workload " + oneLine(a.workloadName) + " and " + oneLine(b.workloadName));
    } else if (differs(a.workloadDigest, b.workloadDigest)) {
        out.push_back("two versions of the workload " + oneLine(a.workloadName) + ", " +
                      oneLine(a.workloadDigest) + " and " + oneLine(b.workloadDigest));
    }
    if (a.batch != b.batch)
        out.push_back("batch " + std::to_string(a.batch) + " and " + std::to_string(b.batch));
    return out;
}

std::vector<std::string> differentMeasurement(const Result& a, const Result& b) {
    std::vector<std::string> out;
    if (a.session.threads > 0 && b.session.threads > 0 && a.session.threads != b.session.threads)
        out.push_back(threadsText(a.session.threads) + " and " + threadsText(b.session.threads));
    if (a.session.instructionSet != b.session.instructionSet) {
        out.push_back("instruction set " + instructionSetText(a) + " and " + instructionSetText(b));
    }
    if (differs(a.session.synchronisation, b.session.synchronisation)) {
        out.push_back("synchronised " + oneLine(a.session.synchronisation) + " and " +
                      oneLine(b.session.synchronisation));
    }
    if (differs(a.data, b.data))
        out.push_back(oneLine(a.data) + " and " + oneLine(b.data) + " data");
    return out;
}

bool sameSession(const Result& a, const Result& b) {
    return !a.context.time.empty() && a.context.time == b.context.time &&
           a.context.host == b.context.host && a.session.seed == b.session.seed &&
           !a.session.order.empty() && a.session.order == b.session.order;
}

}  // namespace aether::app
