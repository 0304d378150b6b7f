#include "app/leasescopectl_offscreen.h"

#include <cstdio>

#include <fmt/format.h>
#include <QGuiApplication>
#include <QHashSeed>

namespace leasescope::ctl {
namespace {

// A machine without a desktop session has no runtime folder: Qt says so on every run, and it does not matter here.
void without_the_runtime_folder(QtMsgType, const QMessageLogContext&, const QString& text) {
  if (!text.startsWith("QStandardPaths: XDG_RUNTIME_DIR")) fmt::print(stderr, "{}\n", text.toStdString());
}

}  // namespace

std::unique_ptr<QGuiApplication> offscreen_application(int& argc, char** argv) {
  qInstallMessageHandler(without_the_runtime_folder);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QHashSeed::setDeterministicGlobalSeed();  // the fonts of a PDF are in the order of a hash: the same run, the same
                                            // bytes
  return std::make_unique<QGuiApplication>(argc, argv);
}

}  // namespace leasescope::ctl
