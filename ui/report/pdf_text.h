// The words of a report as Qt's rich text has them, for paper.
#pragma once
#include <QString>

#include "ui/report/report_text.h"

namespace leasescope {

// Before the chart: what it was, what it came to, its incidents, and what was not observed.
QString pdf_summary(const ReportSubject& subject, const ReportText& text);
// After it: how they came about, contenders, settings.
QString pdf_account(const ReportSubject& subject, const ReportText& text);
// For both.
QString pdf_style();

}  // namespace leasescope
