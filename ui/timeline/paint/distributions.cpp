#include "ui/timeline/paint/distributions.h"

#include <algorithm>

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>
#include <QSvgGenerator>

#include "core/base/whole_file.h"
#include "ui/timeline/paint/canvas.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Distributions)
};

constexpr int kWidth = 760, kTitle = 44, kPanel = 190, kLeft = 56, kRight = 24, kTop = 34, kBottom = 28;

// What is seen of a panel: without the last hundredth, which would press all else to the side.
struct Span {
  double from = 0, to = 1;
};

double at_share(const std::vector<double>& values, double share) {
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Span span_of(const DistributionPanel& panel) {
  Span out{std::min(panel.live.front(), panel.foretold.front()),
           std::max(at_share(panel.live, 0.99), at_share(panel.foretold, 0.99))};
  if (out.to <= out.from) out.to = out.from + 1;
  const double room = (out.to - out.from) / 50;
  return {out.from - room, out.to + room};
}

class Drawing {
 public:
  explicit Drawing(QPainter& painter) : canvas_(painter, Theme::kLight, tiles_) {}

  void title(const QString& words, int height) {
    const Colours& c = canvas_.colours();
    canvas_.fill(0, 0, kWidth, height, c.panel);
    canvas_.text(12, 27, words, {c.text, 15, 600});
    int x = kWidth - 190;
    for (const auto& [colour, word] : {std::pair{live(), Say::tr("live")}, std::pair{foretold(), Say::tr("virtual")}}) {
      canvas_.fill(x, 20, 22, 3, colour);
      canvas_.text(x + 28, 26, word, {c.muted, 12});
      x += 90;
    }
    canvas_.hline(kTitle - 1, 0, kWidth, c.line);
  }

  void panel(const DistributionPanel& panel, int top) {
    const Colours& c = canvas_.colours();
    const Span span = span_of(panel);
    canvas_.text(12, top + 22, QString::fromStdString(panel.name), {c.text, 12, 600});
    canvas_.text(kWidth - kRight, top + 22,
                 Say::tr("KS %1 · %2 live, %3 virtual")
                     .arg(panel.distance, 0, 'f', 3)
                     .arg(panel.live.size())
                     .arg(panel.foretold.size()),
                 {c.muted, 11, 400, Face::kMono, Align::kRight});
    axes(panel, span, top);
    curve(panel.foretold, span, top, foretold());
    curve(panel.live, span, top, live());
    canvas_.hline(top + kPanel - 1, 0, kWidth, c.line);
  }

 private:
  const QColor& live() const { return canvas_.colours().accent; }
  const QColor& foretold() const { return canvas_.colours().write_stale; }
  static int across() { return kWidth - kLeft - kRight; }
  static int down() { return kPanel - kTop - kBottom; }

  void axes(const DistributionPanel& panel, const Span& span, int top) {
    const Colours& c = canvas_.colours();
    for (const int percent : {0, 25, 50, 75, 100}) {
      const int y = top + kTop + down() - down() * percent / 100;
      canvas_.hline(y, kLeft, kWidth - kRight, c.grid);
      canvas_.text(kLeft - 8, y + 4, QStringLiteral("%1 %").arg(percent),
                   {c.muted, 10, 400, Face::kMono, Align::kRight});
    }
    for (int fifth = 0; fifth <= 5; ++fifth) {
      const double value = span.from + (span.to - span.from) * fifth / 5;
      const int x = kLeft + across() * fifth / 5;
      canvas_.vline(x, top + kTop, top + kTop + down(), c.grid);
      const QString unit = fifth == 5 ? QString::fromStdString(" " + panel.unit) : QString();
      canvas_.text(x, top + kTop + down() + 16, QString::number(value, 'g', 4) + unit,
                   {c.muted, 10, 400, Face::kMono, fifth == 5 ? Align::kRight : Align::kCentre});
    }
  }

  // Of many values no more corners than there are pixels.
  void curve(const std::vector<double>& values, const Span& span, int top, const QColor& colour) {
    QPolygonF line;
    std::size_t upto = 0;
    for (int x = 0; x <= across(); ++x) {
      const double value = span.from + (span.to - span.from) * x / across();
      while (upto < values.size() && values[upto] <= value) ++upto;
      const double share = static_cast<double>(upto) / static_cast<double>(values.size());
      line << QPointF(kLeft + x, top + kTop + down() * (1 - share));
    }
    QPainter& painter = canvas_.painter();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1.6));
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
  }

  TileCache tiles_;
  Canvas canvas_;
};

}  // namespace

bool write_distributions(const QString& title, const std::vector<DistributionPanel>& panels, const QString& path,
                         QString* error) {
  const int height = kTitle + kPanel * static_cast<int>(panels.size());
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&bytes);
  generator.setSize(QSize(kWidth, height));
  generator.setViewBox(QRect(0, 0, kWidth, height));
  generator.setResolution(96);
  generator.setTitle(title);
  generator.setDescription(Say::tr("Leasescope: what virtual time foretold, and what a live store did"));
  QPainter painter(&generator);
  Drawing drawing(painter);
  drawing.title(title, height);
  int top = kTitle;
  for (const DistributionPanel& panel : panels) {
    drawing.panel(panel, top);
    top += kPanel;
  }
  painter.end();
  const auto written = write_whole(path.toStdString(), std::string_view(bytes.data().constData(), bytes.size()));
  if (!written && error != nullptr) *error = QString::fromStdString(written.error());
  return written.has_value();
}

}  // namespace leasescope
