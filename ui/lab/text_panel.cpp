#include "ui/lab/text_panel.h"

#include <QVBoxLayout>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kLong = 256 << 10;  // letters; from there on a text is read when the typing rests
constexpr int kRestMs = 400;

}  // namespace

TextPanel::TextPanel(ScenarioDocument& document, QWidget* parent) : Pane(Ground::kPanel, parent), document_(document) {
  editor_ = new TomlEditor;
  auto* bar = new Pane(Ground::kPanel);
  bar->setEdges(Qt::TopEdge);
  auto* row = new QVBoxLayout(bar);
  row->setContentsMargins(10, 3, 10, 4);
  foot_ = label({}, 11, 400, Ink::kMuted);
  foot_->setObjectName(QStringLiteral("tomlFoot"));
  foot_->setTextFormat(Qt::PlainText);
  foot_->setWordWrap(true);
  foot_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  row->addWidget(foot_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(editor_, 1);
  column->addWidget(bar);
  wait_.setSingleShot(true);
  connect(&wait_, &QTimer::timeout, this, &TextPanel::flush);
  connect(editor_, &TomlEditor::typed, this, [this] {
    if (editor_->document()->characterCount() < kLong) return flush();
    wait_.start(kRestMs);
  });
  connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &TextPanel::loadFoot);
  connect(&document_, &ScenarioDocument::textChanged, this, &TextPanel::load);
  load();
}

void TextPanel::flush() {
  wait_.stop();
  QString text = editor_->toPlainText();
  if (crlf_) text.replace(u'\n', QStringLiteral("\r\n"));
  document_.type(text.toUtf8());
}

void TextPanel::load() {
  if (wait_.isActive()) wait_.stop();
  editor_->setReadOnly(!document_.isOpen());
  QString text = QString::fromUtf8(document_.text());
  crlf_ = text.contains(QStringLiteral("\r\n"));
  if (crlf_) text.remove(u'\r');
  editor_->follow(text);
  const auto& error = document_.error();
  editor_->setError(error ? std::optional(TomlEditor::Mark{error->line, error->column, fromText(error->message)})
                          : std::nullopt);
  loadFoot();
}

void TextPanel::loadFoot() {
  const QTextCursor at = editor_->textCursor();
  const bool wrong = document_.error().has_value();
  setInk(foot_, wrong ? Ink::kCritical : Ink::kMuted);
  foot_->setText(wrong ? tr("%1\nUntil it is mended, the scenario is as it was before.").arg(document_.errorText())
                 : document_.isOpen() ? tr("Line %1, column %2").arg(at.blockNumber() + 1).arg(at.positionInBlock() + 1)
                                      : QString());
}

}  // namespace leasescope
