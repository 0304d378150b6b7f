#include "app/leasescopectl_offscreen.h"

#include <cstdio>

#include <fmt/format.h>
#include <QGuiApplication>
#include <QHashSeed>

#include "ui/models/english_plurals.h"

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
  auto application = std::make_unique<QGuiApplication>(argc, argv);
  // What is drawn counts as the window does.
  QCoreApplication::installTranslator(new EnglishPlurals(application.get()));
  return application;
}

}  // namespace leasescope::ctl
