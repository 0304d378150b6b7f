// The register of reports that are made of a whole run when it is over: what the terminal program offers as options,
// and the window as exports.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/report/report_subject.h"
#include "ui/report/row_report.h"

namespace leasescope {

struct ReportFormat {
  std::string_view ending;  // ".html"
  std::string_view option;  // of its own in the terminal program, "--html"; empty: --report alone
  bool by_ending = true;    // --report knows it by its ending
  std::string_view about;   // for the help of the option
  std::string_view noun;    // "report": the terminal says where it was written; empty: it does not
  bool draws = false;       // with the fonts of Qt Gui
  const char* menu = "";    // in the window: "Export &report as HTML…"
  const char* key = "";     // there
  bool tells = false;       // in words too: beside the chart's, what a RunAccount has of the events
  // The bytes of the file, piece by piece, or why there are none; what `out` did not want is its own to tell. The same
  // subject gives the same bytes. Any thread may call it.
  tl::expected<void, std::string> (*write)(const ReportSubject&, ByteSink& out) = nullptr;
  // The same bytes while the events come; null: it has to know the end.
  std::unique_ptr<RowReport> (*rows)(const ReportSubject&) = nullptr;
};

const std::vector<ReportFormat>& report_formats();
// Null where there is none.
const ReportFormat* report_format_of(std::string_view ending);

}  // namespace leasescope
