#include "ui/lab/toml_editor.h"

#include <QPainter>
#include <QTextBlock>

#include "ui/lab/toml_highlighter.h"
#include "ui/look/fonts.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kLetters = 12;   // px
constexpr int kGap = 12;       // between a line's end and what is told of it
constexpr int kMarkWidth = 4;  // beside the number of the line with the error

class Gutter : public QWidget {
 public:
  explicit Gutter(TomlEditor* editor) : QWidget(editor), editor_(editor) {}
  QSize sizeHint() const override { return {editor_->gutterWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paintGutter(event); }

 private:
  TomlEditor* editor_;
};

// TOML counts letters, Qt halves of some.
int indexOf(const QString& line, int column) {
  int at = 0;
  for (int letter = 1; letter < column && at < line.size(); ++letter) at += line[at].isHighSurrogate() ? 2 : 1;
  return at;
}

}  // namespace

TomlEditor::TomlEditor(QWidget* parent) : QPlainTextEdit(parent), gutter_(new Gutter(this)) {
  setObjectName(QStringLiteral("tomlEditor"));
  setAccessibleName(tr("Scenario as TOML"));
  setFrameShape(QFrame::NoFrame);
  setFont(leasescope::font(Face::kMono, kLetters));
  setLineWrapMode(NoWrap);
  setUndoRedoEnabled(false);
  setTabChangesFocus(true);
  document()->setDocumentMargin(6);
  new TomlHighlighter(document());
  connect(this, &QPlainTextEdit::blockCountChanged, this, &TomlEditor::placeGutter);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int dy) {
    if (dy != 0)
      gutter_->scroll(0, dy);
    else
      gutter_->update(0, area.y(), gutter_->width(), area.height());
    if (dy != 0 && error_) viewport()->update();  // what is told beside a line is wider than the line
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &TomlEditor::mark);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (!following_) emit typed();
  });
  connect(&Look::instance(), &Look::changed, this, &TomlEditor::mark);
  placeGutter();
}

void TomlEditor::follow(const QString& text) {
  const QString old = toPlainText();
  if (old == text) return;
  const qsizetype most = std::min(old.size(), text.size());
  qsizetype head = 0, tail = 0;
  while (head < most && old[head] == text[head]) ++head;
  while (tail < most - head && old[old.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
  following_ = true;
  QTextCursor change(document());
  change.setPosition(static_cast<int>(head));
  change.setPosition(static_cast<int>(old.size() - tail), QTextCursor::KeepAnchor);
  change.insertText(text.mid(head, text.size() - head - tail));
  following_ = false;
  if (hasFocus()) {
    setTextCursor(change);
    ensureCursorVisible();
  }
}

// ---- errors

void TomlEditor::setError(const std::optional<Mark>& error) {
  error_ = error;
  mark();
  gutter_->update();
  viewport()->update();
}

// What stands at the error's place, up to the next gap; of an empty place the whole line.
QTextCursor TomlEditor::errorCursor() const {
  if (!error_ || error_->line < 1) return {};
  const QTextBlock block = document()->findBlockByNumber(std::min(error_->line, document()->blockCount()) - 1);
  const QString line = block.text();
  int from = indexOf(line, error_->column), to = from;
  const bool quoted = from < line.size() && line[from] == u'"';
  while (to < line.size() && (quoted ? to == from || line[to] != u'"' : !line[to].isSpace())) ++to;
  if (quoted && to < line.size()) ++to;
  if (from == to) {
    from = 0;
    to = static_cast<int>(line.size());
  }
  QTextCursor out(block);
  out.setPosition(block.position() + from);
  out.setPosition(block.position() + to, QTextCursor::KeepAnchor);
  return out;
}

QString TomlEditor::underlined() const {
  const QTextCursor at = errorCursor();
  return at.isNull() ? QString() : at.selectedText();
}

void TomlEditor::goToError() {
  QTextCursor at = errorCursor();
  if (at.isNull()) return;
  at.setPosition(at.selectionStart());
  setTextCursor(at);
  centerCursor();
  setFocus();
}

void TomlEditor::mark() {
  QList<QTextEdit::ExtraSelection> marks;
  if (hasFocus()) {
    QTextEdit::ExtraSelection here;
    here.format.setBackground(ink().hover);
    here.format.setProperty(QTextFormat::FullWidthSelection, true);
    here.cursor = textCursor();
    here.cursor.clearSelection();
    marks << here;
  }
  if (QTextEdit::ExtraSelection wrong; !(wrong.cursor = errorCursor()).isNull()) {
    wrong.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    wrong.format.setUnderlineColor(ink().crit_text);
    marks << wrong;
  }
  setExtraSelections(marks);
}

QRect TomlEditor::messageRect() const {
  if (!error_ || error_->line < 1) return {};
  const QTextBlock block = document()->findBlockByNumber(std::min(error_->line, document()->blockCount()) - 1);
  if (!block.isValid() || !block.isVisible()) return {};
  const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
  const int left = static_cast<int>(line.left() + document()->documentMargin()) +
                   fontMetrics().horizontalAdvance(block.text()) + kGap;
  const int width = std::min(fontMetrics().horizontalAdvance(error_->message) + kGap, viewport()->width() - left - 4);
  const QRect out(left, static_cast<int>(line.top()), width, static_cast<int>(line.height()));
  return width >= 4 * kGap && out.intersects(viewport()->rect()) ? out : QRect();
}

void TomlEditor::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  const QRect room = messageRect();
  if (room.isEmpty()) return;
  QPainter painter(viewport());
  painter.fillRect(room, ink().critical_tint);
  painter.setPen(ink().crit_text);
  painter.setFont(leasescope::font(Face::kText, kLetters));
  const QRect words = room.adjusted(kGap / 2, 0, -kGap / 2, 0);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(error_->message, Qt::ElideRight, words.width()));
}

// ---- the numbers of the lines

int TomlEditor::gutterWidth() const {
  const int digits = std::max<int>(2, static_cast<int>(QString::number(blockCount()).size()));
  return 2 * kMarkWidth + 8 + fontMetrics().horizontalAdvance(u'9') * digits;
}

void TomlEditor::placeGutter() {
  setViewportMargins(gutterWidth(), 0, 0, 0);
  const QRect room = contentsRect();
  gutter_->setGeometry(room.left(), room.top(), gutterWidth(), room.height());
}

void TomlEditor::paintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  painter.fillRect(event->rect(), ink().header);
  painter.setFont(font());
  const int last = event->rect().bottom();
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > last) break;
    if (!block.isVisible()) continue;
    const bool wrong = error_ && error_->line == block.blockNumber() + 1;
    const QRect row(0, static_cast<int>(line.top()), gutter_->width(), static_cast<int>(line.height()));
    if (wrong) painter.fillRect(QRect(0, row.top(), kMarkWidth, row.height()), ink().crit_text);
    painter.setPen(wrong ? ink().crit_text : ink().muted);
    painter.drawText(row.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(block.blockNumber() + 1));
  }
}

void TomlEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  placeGutter();
}

void TomlEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange) placeGutter();
}

// ---- keys

// Undo and redo are the window's: the text has its steps in common with the form and the chart.
bool TomlEditor::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return false;
    }
  }
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
    const bool done = QPlainTextEdit::event(event);
    mark();
    return done;
  }
  return QPlainTextEdit::event(event);
}

void TomlEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit left();
  QPlainTextEdit::keyPressEvent(event);
}

}  // namespace leasescope
