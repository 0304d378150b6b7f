#include "ui/report/chart_picture.h"

#include "ui/models/words.h"
#include "ui/timeline/paint/picture.h"

namespace leasescope {
namespace {

tl::expected<std::string, std::string> picture_of(const ReportSubject& subject, PictureKind kind) {
  PictureOptions options;
  options.theme = subject.theme;
  options.scale = subject.scale;
  options.range = subject.shown ? subject.shown : subject.part;
  options.outcome = fromText(verdict_text(subject.outcome));
  return draw_picture(subject.data, options, kind);
}

}  // namespace

tl::expected<std::string, std::string> png_picture(const ReportSubject& subject) {
  return picture_of(subject, PictureKind::kPng);
}
tl::expected<std::string, std::string> svg_picture(const ReportSubject& subject) {
  return picture_of(subject, PictureKind::kSvg);
}

}  // namespace leasescope
