// Small things the panels are made of: labels, a switch, key caps, dock titles, rows of badges.
#pragma once
#include <QAbstractButton>
#include <QDockWidget>
#include <QLabel>
#include <QToolButton>
#include <map>
#include <vector>

#include "ui/models/glyph.h"
#include "ui/theme/icons.h"

class QAction;

namespace leasescope {

enum class Ink { kText, kMuted, kWarn, kCritical };

// A label in the given size and weight; rich text allowed, selectable by no one.
QLabel* label(const QString& text, int px = 12, int weight = 400, Ink ink = Ink::kText, bool fixed = false);
void setInk(QLabel* label, Ink ink);
// Rich text whose long words may be broken: after a sign within them, else every twenty letters.
QString breakable(const QString& richText);
// Rich text that is wrapped in whatever width it is given, at its top. A layout asks many times for its height at the
// same few widths, and each answer lays out the whole text: it is measured once a width. One that is made without
// markup, but with a text, never shows any.
class WrappedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit WrappedLabel(const QString& richText, int px = 12, Ink ink = Ink::kText, bool fixed = false);
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  mutable QString measured_;
  mutable QFont by_;
  mutable std::map<int, int> heights_;
};
QWidget* verticalLine();
QWidget* stretch();
// Flat button for an action: icon only, tool tip with its key.
QToolButton* toolButton(QAction* action, QWidget* parent);
QString withKey(const QAction& action);

// Cuts its text with an ellipsis, at the right or where it is told to, and gives the whole in the tool tip.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void setFullText(const QString& text);
  void setElideMode(Qt::TextElideMode mode) { mode_ = mode; }
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode mode_ = Qt::ElideRight;
  bool ownTip_ = false;
};

// On or off, 26 × 14.
class Switch : public QAbstractButton {
  Q_OBJECT
 public:
  explicit Switch(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {30, 24}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

// One key as it stands on the board.
class KeyCap : public QWidget {
  Q_OBJECT
 public:
  explicit KeyCap(const QString& key, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString key_;
};

// Badges of contenders with a text behind each.
class BadgeRow : public QWidget {
  Q_OBJECT
 public:
  struct Item {
    int place = 0;
    QString text;
  };
  explicit BadgeRow(QWidget* parent = nullptr);
  void setItems(std::vector<Item> items);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Item> items_;
};

class GlyphView : public QWidget {
  Q_OBJECT
 public:
  explicit GlyphView(QWidget* parent = nullptr);
  void setGlyph(Glyph glyph);
  QSize sizeHint() const override { return {20, 16}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Glyph glyph_ = Glyph::kNone;
};

// The ground of a panel, of headers and of the chart; follows the look.
enum class Ground { kPanel, kHeader, kChart, kWindow };
class Pane : public QWidget {
  Q_OBJECT
 public:
  explicit Pane(Ground ground, QWidget* parent = nullptr);
  // Hairlines at these edges.
  void setEdges(Qt::Edges edges) { edges_ = edges; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Ground ground_;
  Qt::Edges edges_;
};

// The title of a dock: name, what is set behind it, float and close.
class DockTitle : public Pane {
  Q_OBJECT
 public:
  DockTitle(QDockWidget* dock, const QString& title);
  // Takes the title's place at the left, for docks whose title is a row of tabs.
  DockTitle(QDockWidget* dock, QWidget* head);
  void setNote(const QString& note);
  void addAtRight(QWidget* widget);

 private:
  void build(QDockWidget* dock, QWidget* head);
  QLabel* note_ = nullptr;
  QWidget* gap_ = nullptr;
};

}  // namespace leasescope
