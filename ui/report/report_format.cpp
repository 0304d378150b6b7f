#include "ui/report/report_format.h"

#include <algorithm>

#include "ui/report/chart_picture.h"
#include "ui/report/csv_report.h"
#include "ui/report/events_csv.h"
#include "ui/report/html_report.h"
#include "ui/report/markdown_report.h"
#include "ui/report/pdf_report.h"
#include "ui/timeline/paint/chrome_trace.h"

namespace leasescope {
namespace {

tl::expected<void, std::string> trace(const ReportSubject& subject, ByteSink& out) {
  if (subject.part)
    write_chrome_trace(out, subject.data, subject.part->first, subject.part->second);
  else
    write_chrome_trace(out, subject.data);
  return {};
}

}  // namespace

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> formats{
      {.ending = ".png",
       .about = "the chart as a picture",
       .noun = "chart",
       .draws = true,
       .menu = "Export chart as &PNG…",
       .key = "Ctrl+E",
       .write = png_picture},
      {.ending = ".svg",
       .about = "the chart as a drawing",
       .noun = "chart",
       .draws = true,
       .menu = "Export chart as &SVG…",
       .key = "Ctrl+Shift+E",
       .write = svg_picture},
      {.ending = ".html",
       .option = "--html",
       .about = "a page for a browser that needs no network: chart, incidents and how they came about, settings",
       .noun = "report",
       .draws = true,
       .menu = "Export &report as HTML…",
       .key = "Ctrl+Alt+E",
       .tells = true,
       .write = html_report},
      {.ending = ".pdf",
       .option = "--pdf",
       .about = "the same on paper",
       .noun = "report",
       .draws = true,
       .menu = "Export report as P&DF…",
       .key = "Ctrl+Alt+P",
       .tells = true,
       .write = pdf_report},
      {.ending = ".md",
       .about = "the same in Markdown, without the chart",
       .noun = "report",
       .menu = "Export report as Mar&kdown…",
       .key = "Ctrl+Alt+K",
       .tells = true,
       .write = markdown_report},
      {.ending = ".csv",
       .option = "--csv",
       .about = "its leases, a row each",
       .menu = "Export leases as &CSV…",
       .key = "Ctrl+Alt+V",
       .write = csv_report},
      {.ending = ".events.csv",
       .about = "its events, a row each",
       .menu = "Export e&vents as CSV…",
       .key = "Ctrl+Alt+N",
       .write = events_csv,
       .rows = event_rows},
      {.ending = ".json",
       .option = "--trace",
       .by_ending = false,
       .about = "its leases, hand-offs, faults and incidents as a trace for Perfetto, at the end",
       .menu = "Export &trace for Perfetto…",
       .key = "Ctrl+Alt+T",
       .write = trace},
  };
  return formats;
}

const ReportFormat* report_format_of(std::string_view ending) {
  const std::vector<ReportFormat>& all = report_formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ReportFormat& format) { return format.ending == ending; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace leasescope
