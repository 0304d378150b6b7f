#include "ui/theme/icons.h"

#include <QIconEngine>
#include <QPainterPath>
#include <QPixmap>
#include <map>

#include "ui/theme/look.h"

namespace leasescope {
namespace {

struct Figure {
  const char* path;  // M L H V C Z as in SVG, capital = absolute; O x y r = a circle
  qreal width = 1.5;
  bool filled = false;
};

Figure figure(Icon which) {
  switch (which) {
    case Icon::kRun:
      return {"M 4.5 2.5 L 13 8 L 4.5 13.5 Z", 0, true};
    case Icon::kPause:
      return {"M 5 3 V 13 M 11 3 V 13", 2.5};
    case Icon::kStop:
      return {"M 3.5 3.5 H 12.5 V 12.5 H 3.5 Z", 0, true};
    case Icon::kFirst:
      return {"M 12.5 3.5 L 8 8 L 12.5 12.5 M 7.5 3.5 L 3 8 L 7.5 12.5"};
    case Icon::kStepBack:
      return {"M 11 3.5 L 5.5 8 L 11 12.5 M 3.5 3 V 13"};
    case Icon::kFork:
      return {"M 4 2.5 V 13.5 M 4 9 C 9 9 11 7.5 11 3.5 M 8.5 5.5 L 11 3 L 13.5 5.5"};
    case Icon::kStep:
      return {"M 5 3.5 L 10.5 8 L 5 12.5 M 12.5 3 V 13"};
    case Icon::kLast:
      return {"M 3.5 3.5 L 8 8 L 3.5 12.5 M 8.5 3.5 L 13 8 L 8.5 12.5"};
    case Icon::kSearch:
      return {"O 7 7 4.2 M 10.2 10.2 L 14 14"};
    case Icon::kClose:
    case Icon::kCross:
      return {"M 4 4 L 12 12 M 12 4 L 4 12"};
    case Icon::kFloat:
      return {"M 3.5 6.5 V 12.5 H 9.5 M 6.5 3.5 H 12.5 V 9.5 H 6.5 Z"};
    case Icon::kChevronDown:
      return {"M 4 6.5 L 8 10.5 L 12 6.5"};
    case Icon::kChevronRight:
      return {"M 6 4 L 10 8 L 6 12"};
    case Icon::kFit:
      return {"M 2 3 V 13 M 14 3 V 13 M 4.5 8 H 11.5 M 6.5 6 L 4.5 8 L 6.5 10 M 9.5 6 L 11.5 8 L 9.5 10"};
    case Icon::kUndo:
      return {"M 5.5 3 L 2.5 6 L 5.5 9 M 2.5 6 H 9.5 C 11.43 6 13 7.57 13 9.5 C 13 11.43 11.43 13 9.5 13 H 6"};
    case Icon::kFollow:
      return {"M 2.5 8 H 10.5 M 7.5 5 L 10.5 8 L 7.5 11 M 13 3 V 13"};
    case Icon::kExport:
      return {"M 8 2.5 V 9.5 M 5.5 5 L 8 2.5 L 10.5 5 M 3 9.5 V 13.5 H 13 V 9.5"};
    case Icon::kDice:
      return {"M 3 3 H 13 V 13 H 3 Z M 5.6 5.6 L 5.7 5.6 M 10.3 10.3 L 10.4 10.3 M 8 8 L 8.1 8", 1.6};
    case Icon::kCheck:
      return {"M 3 8.5 L 6.2 11.7 L 13 4.5"};
    case Icon::kWarn:
      return {"M 8 2.5 L 14.5 13.5 H 1.5 Z M 8 6.5 V 10 M 8 11.8 V 12"};
    case Icon::kCopy:
      return {"M 5.5 5.5 H 13.5 V 13.5 H 5.5 Z M 10.5 3 H 2.5 V 11"};
    case Icon::kMore:
      return {"M 4 8 L 4.1 8 M 8 8 L 8.1 8 M 12 8 L 12.1 8", 2.2};
    case Icon::kOpen:
      return {"M 2.5 12.5 V 3.5 H 6.5 L 8 5.5 H 13.5 V 12.5 Z"};
    case Icon::kRestart:
      return {"M 11.5 4.5 C 8 1.5 2.5 4 2.5 8.3 C 2.5 14.8 13.5 14.8 13.5 8.3 M 12 1.5 V 5 H 8.5"};
  }
  return {""};
}

QPainterPath parse(const char* text) {
  QPainterPath path;
  const QStringList words = QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
  const auto number = [&](qsizetype at) { return words[at].toDouble(); };
  for (qsizetype i = 0; i < words.size();) {
    const QChar command = words[i][0];
    const QPointF here = path.currentPosition();
    if (command == u'M')
      path.moveTo(number(i + 1), number(i + 2)), i += 3;
    else if (command == u'L')
      path.lineTo(number(i + 1), number(i + 2)), i += 3;
    else if (command == u'H')
      path.lineTo(number(i + 1), here.y()), i += 2;
    else if (command == u'V')
      path.lineTo(here.x(), number(i + 1)), i += 2;
    else if (command == u'O')
      path.addEllipse(QPointF(number(i + 1), number(i + 2)), number(i + 3), number(i + 3)), i += 4;
    else if (command == u'C')
      path.cubicTo(number(i + 1), number(i + 2), number(i + 3), number(i + 4), number(i + 5), number(i + 6)), i += 7;
    else
      path.closeSubpath(), i += 1;
  }
  return path;
}

class Engine : public QIconEngine {
 public:
  Engine(Icon which, bool accent) : which_(which), accent_(accent) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const Colours& c = ink();
    paintIcon(*painter, rect, which_, mode == QIcon::Disabled ? c.faint : accent_ ? c.on_accent : c.text);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new Engine(which_, accent_); }

 private:
  Icon which_;
  bool accent_;
};

}  // namespace

namespace {

const QPainterPath& pathOf(Icon which) {
  thread_local std::map<Icon, QPainterPath> known;
  const auto found = known.find(which);
  return found != known.end() ? found->second : known.emplace(which, parse(figure(which).path)).first->second;
}

}  // namespace

void paintIcon(QPainter& painter, const QRect& rect, Icon which, const QColor& colour) {
  const Figure f = figure(which);
  const QPainterPath& path = pathOf(which);
  const qreal scale = std::min(rect.width(), rect.height()) / 16.0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(rect.x() + (rect.width() - 16 * scale) / 2, rect.y() + (rect.height() - 16 * scale) / 2);
  painter.scale(scale, scale);
  if (f.filled)
    painter.fillPath(path, colour);
  else
    painter.strokePath(path, QPen(colour, f.width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.restore();
}

QIcon appIcon() {
  QIcon made;
  for (const int size : {16, 32, 128, 512})
    made.addFile(QStringLiteral(":/icons/icon-%1.png").arg(size), QSize(size, size));
  return made;
}

QIcon icon(Icon which, bool accent) { return QIcon(new Engine(which, accent)); }

}  // namespace leasescope
