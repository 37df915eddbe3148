// SPDX-License-Identifier: GPL-3.0-only
#include "app/machine_load.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <algorithm>
#include <fstream>

#include "support.h"

namespace aether::app {
namespace {

TEST(MachineLoad, TakesOneLogicalCoreOfEachPhysical) {
    const std::vector<int> physical = physicalCores(), usable = usableCores();
    ASSERT_FALSE(physical.empty());
    EXPECT_TRUE(std::is_sorted(physical.begin(), physical.end()));
    EXPECT_TRUE(std::includes(usable.begin(), usable.end(), physical.begin(), physical.end()));
}

TEST(MachineLoad, GivesThreadsACoreEachWhileThereAreEnough) {
    EXPECT_EQ(coresFor(0), physicalCores());
    EXPECT_EQ(coresFor(1), std::vector<int>{physicalCores().front()});
    EXPECT_EQ(coresFor(10'000), usableCores());
}

TEST(MachineLoad, SaysNothingOfAShortBlock) {
    LoadMeter meter(usableCores(), 0);
    meter.start();
    EXPECT_FALSE(meter.otherShare().has_value());
}

TEST(MachineLoad, KnowsABatteryThatIsDrained) {
    const QTemporaryDir folder;
    const auto supplies = test::pathOf(folder);
    EXPECT_FALSE(onBattery(supplies / "missing"));
    std::filesystem::create_directories(supplies / "AC");
    std::ofstream(supplies / "AC" / "online") << "1\n";
    std::filesystem::create_directories(supplies / "BAT0");
    std::ofstream(supplies / "BAT0" / "status") << "Charging\n";
    EXPECT_FALSE(onBattery(supplies));
    std::ofstream(supplies / "BAT0" / "status") << "Discharging\n";
    EXPECT_TRUE(onBattery(supplies));
}

}  // namespace
}  // namespace aether::app
