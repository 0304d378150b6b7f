#include "ui/report/chart_picture.h"

#include "ui/models/words.h"
#include "ui/timeline/paint/picture.h"

namespace leasescope {
namespace {

tl::expected<void, std::string> picture_of(const ReportSubject& subject, ByteSink& out, PictureKind kind) {
  PictureOptions options;
  options.theme = subject.theme;
  options.scale = subject.scale;
  options.range = subject.shown ? subject.shown : subject.part;
  options.outcome = fromText(verdict_text(subject.outcome));
  return draw_picture(out, subject.data, options, kind);
}

}  // namespace

tl::expected<void, std::string> png_picture(const ReportSubject& subject, ByteSink& out) {
  return picture_of(subject, out, PictureKind::kPng);
}
tl::expected<void, std::string> svg_picture(const ReportSubject& subject, ByteSink& out) {
  return picture_of(subject, out, PictureKind::kSvg);
}

}  // namespace leasescope
