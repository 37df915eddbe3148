// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QCoreApplication>

#include "support.h"

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    qputenv(aether::app::test::kTestMark,
            QByteArray::number(QCoreApplication::applicationPid()) + ".");
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
