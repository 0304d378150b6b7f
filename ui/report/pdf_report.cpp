#include "ui/report/pdf_report.h"

#include <cmath>

#include <fmt/format.h>
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/report/pdf_text.h"
#include "ui/report/report_text.h"
#include "ui/timeline/paint/figure.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr int kScale = 10;                // of the paper's dots a pixel, so that nothing is rounded to one
constexpr int kResolution = 96 * kScale;  // dots an inch
constexpr double kMargin = 12;            // mm
constexpr int kFooter = 24;               // px

// Part of a chart that has more rows than a page has room for.
struct ChartPage {
  int scroll = 0;  // of the rows, in pixels
  int height = 0;  // with ruler and rail
};

// Cut between two rows. A mutex's header stands over its rows again on each page.
std::vector<ChartPage> chart_pages(const ChartLayout& layout, int room) {
  std::vector<ChartPage> pages;
  std::size_t row = 0;
  while (row < layout.rows.size()) {
    const int begin = layout.rows[row].y;
    const RowBox* const pinned = pages.empty() ? nullptr : layout.pinned_row(begin);
    const int over = pinned != nullptr && pinned->y < begin ? pinned->height : 0;
    const int first_end = begin + layout.rows[row].height;
    int end = first_end;
    // At least one row, even where it is higher than the page.
    for (++row; row < layout.rows.size(); ++row) {
      const int next = layout.rows[row].y + layout.rows[row].height;
      if (layout.top() + over + next - begin > room) break;
      end = next;
    }
    pages.push_back({begin - over, layout.top() + over + end - begin});
  }
  if (pages.empty()) pages.push_back({0, layout.top()});
  return pages;
}

class Pages {
 public:
  Pages(QPdfWriter& writer, const ReportSubject& subject)
      : writer_(writer),
        subject_(subject),
        text_(report_text(subject)),
        width_(writer.width() / kScale),
        height_(writer.height() / kScale - kFooter),
        layout_(layout_chart(subject.data, width_)) {
    if (!subject.is_wanted()) return;
    lay_out(summary_, pdf_summary(subject, text_));
    lay_out(account_, pdf_account(subject, text_));
    if (subject.shown)
      stretch_ = {subject.shown->first, subject.shown->second, {}};
    else if (subject.part)
      stretch_ = {subject.part->first, subject.part->second, {}};
    else
      stretch_ = around_the_worst(subject.data);
  }

  bool write() {
    if (!painter_.begin(&writer_)) return false;
    painter_.scale(kScale, kScale);
    const int beside_rows = measures().minimap + kLegendHeight + kCaption;
    const std::vector<ChartPage> charts = chart_pages(layout_, height_ - beside_rows);
    // On the first page where it has room below the summary.
    const int used = static_cast<int>(std::ceil(summary_.size().height())) + 8;
    const bool together =
        summary_.pageCount() == 1 && charts.size() == 1 && used + charts.front().height + beside_rows <= height_;
    pages_ = summary_.pageCount() + static_cast<int>(charts.size()) - (together ? 1 : 0) + account_.pageCount();
    write_document(summary_);
    for (const ChartPage& chart : charts) {
      if (!subject_.is_wanted()) break;
      if (!together) next_page();
      write_chart(chart, together ? used : 0);
    }
    next_page();
    write_document(account_);
    write_footer();
    return painter_.end();
  }

 private:
  static constexpr int kCaption = 22;

  void lay_out(QTextDocument& document, const QString& html) const {
    document.setDefaultFont(font(Face::kText, 12));
    document.setDocumentMargin(0);
    document.setUseDesignMetrics(true);
    document.setDefaultStyleSheet(pdf_style());
    document.setHtml(html);
    document.setPageSize(QSizeF(width_, height_));
  }

  void next_page() {
    write_footer();
    writer_.newPage();
    ++page_;
  }

  void write_footer() {
    TileCache tiles;
    Canvas canvas(painter_, Theme::kLight, tiles);
    const TextStyle quiet{canvas.colours().muted, 10};
    const int y = height_ + kFooter - 4;
    canvas.hline(y - 15, 0, width_, canvas.colours().line);
    canvas.elided(0, y, width_ - 120,
                  text_.title + QStringLiteral(" · ") + text_.verdict + QStringLiteral(" · ") + text_.maker, quiet);
    canvas.text(width_, y, Say::tr("%1 of %2").arg(page_).arg(pages_),
                {quiet.colour, 10, 400, Face::kText, Align::kRight});
  }

  void write_document(QTextDocument& document) {
    for (int page = 0; page < document.pageCount() && subject_.is_wanted(); ++page) {
      if (page > 0) next_page();
      painter_.save();
      painter_.translate(0, -page * height_);
      QAbstractTextDocumentLayout::PaintContext context;
      context.palette.setColor(QPalette::Text, colours(Theme::kLight).text);
      const QRectF area(0, page * height_, width_, height_);
      context.clip = area.adjusted(0, 1, 0, -1);  // else lines that only touch it are written twice
      painter_.setClipRect(area);
      document.documentLayout()->draw(&painter_, context);
      painter_.restore();
    }
  }

  void write_chart(const ChartPage& page, int top) {
    TileCache tiles;
    const Theme theme = Theme::kLight;
    painter_.save();
    painter_.translate(0, top);
    {
      Canvas canvas(painter_, theme, tiles);
      canvas.text(0, 14, stretch_words(subject_.data, stretch_), {canvas.colours().muted, 11});
    }
    painter_.translate(0, kCaption);
    const Scene scene{subject_.data, layout_, view_of(subject_.data, stretch_, layout_.plot_width()), page.height,
                      page.scroll};
    paint_chart(painter_, scene, theme, tiles, Painters::kOne);
    Overlay overlay;
    overlay.cursor = stretch_.cursor;
    overlay.states_at = stretch_.cursor ? *stretch_.cursor : std::min(stretch_.to, subject_.data.now());
    paint_overlay(painter_, scene, theme, tiles, overlay);
    const QRect strip(0, page.height, width_, measures().minimap);
    const Viewport& shown = scene.viewport.shown;
    const Minimap whole{subject_.data, strip,           layout_.head,         shown.from,
                        shown.to(),    stretch_.cursor, layout_.first_mutex()};
    paint_minimap(painter_, whole, theme, tiles);
    Canvas canvas(painter_, theme, tiles);
    paint_legend_line(canvas, page.height + measures().minimap, width_);
    painter_.restore();
  }

  QPdfWriter& writer_;
  const ReportSubject& subject_;
  ReportText text_;
  int width_, height_;  // px, of what is written on
  ChartLayout layout_;
  QTextDocument summary_, account_;
  Stretch stretch_;
  QPainter painter_;
  int page_ = 1, pages_ = 0;
};

// As many blanks as there were letters, since the places of all that follows are in the file; up to `last`, and what it
// ends with.
void blank(QByteArray& pdf, qsizetype from, char last, bool with_last) {
  const qsizetype found = from < 0 ? from : pdf.indexOf(last, from);
  const qsizetype end = with_last ? found + 1 : found;
  for (qsizetype i = from; i >= 0 && i < end; ++i) pdf[i] = ' ';
}

// When it was made, and which of all files it is, is no part of what it tells: the same run gives the same bytes. Later
// versions of Qt number every file, and say both once more in words of XML.
void forget_making(QByteArray& pdf) {
  for (const char* date : {"/CreationDate", "/ModDate"}) blank(pdf, pdf.indexOf(date), ')', true);
  if (const qsizetype trailer = pdf.lastIndexOf("trailer"); trailer >= 0)
    blank(pdf, pdf.indexOf("/ID", trailer), ']', true);
  for (const QByteArrayView value : {"xmp:CreateDate=\"", "xmp:ModifyDate=\"", "xmp:MetadataDate=\"",
                                     "xmpMM:DocumentID=\"", "xmpMM:VersionID=\"", "xmpMM:InstanceID=\""})
    if (const qsizetype at = pdf.indexOf(value); at >= 0) blank(pdf, at + value.size(), '"', false);
}

}  // namespace

// The file is made whole before any of it goes: when it was made stands before the pages, and where everything lies
// behind them. It is as large as what is printed, not as the run.
tl::expected<void, std::string> pdf_report(const ReportSubject& subject, ByteSink& out) {
  const LettersAsWritten copied;  // what is read on paper is searched and copied too
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&bytes);
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape, QMarginsF(kMargin, kMargin, kMargin, kMargin)));
    writer.setResolution(kResolution);
    writer.setTitle(fromText(subject.data.facts().scenario));
    writer.setCreator(QStringLiteral("Leasescope"));
    Pages pages(writer, subject);
    if (!subject.is_wanted()) return {};
    if (!pages.write()) return tl::make_unexpected("it cannot be made a PDF");
  }
  QByteArray pdf = bytes.data();
  forget_making(pdf);
  if (out.go_on(0, 0)) out.put({pdf.constData(), static_cast<std::size_t>(pdf.size())});
  return {};
}

}  // namespace leasescope
