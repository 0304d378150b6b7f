#include "ui/lab/toml_highlighter.h"

#include "ui/theme/look.h"

namespace leasescope {
namespace {

// States of a line's end: within a text of several lines, in quotes of this kind.
constexpr int kOutside = 0, kDouble = 1, kSingle = 2;

QString fence(int state) { return QString(3, state == kDouble ? u'"' : u'\''); }

QTextCharFormat inkOf(const QColor& colour, int weight = QFont::Normal) {
  QTextCharFormat out;
  out.setForeground(colour);
  out.setFontWeight(weight);
  return out;
}

}  // namespace

TomlHighlighter::TomlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
  connect(&Look::instance(), &Look::changed, this, &QSyntaxHighlighter::rehighlight);
}

// Behind the text that begins there; one of several lines may go on in the next.
qsizetype TomlHighlighter::skipText(const QString& text, qsizetype at) {
  const int kind = text[at] == u'"' ? kDouble : kSingle;
  if (text.mid(at, 3) == fence(kind)) {
    const qsizetype end = text.indexOf(fence(kind), at + 3);
    if (end < 0) setCurrentBlockState(kind);
    return end < 0 ? text.size() : end + 3;
  }
  for (qsizetype i = at + 1; i < text.size(); ++i) {
    if (kind == kDouble && text[i] == u'\\') {
      ++i;
    } else if (text[i] == text[at]) {
      return i + 1;
    }
  }
  return text.size();
}

void TomlHighlighter::highlightBlock(const QString& text) {
  setCurrentBlockState(kOutside);
  qsizetype at = 0;
  if (const int before = previousBlockState(); before == kDouble || before == kSingle) {
    const qsizetype end = text.indexOf(fence(before));
    if (end < 0) return setCurrentBlockState(before);
    at = end + 3;
  }
  const QString bare = text.trimmed();
  const bool header = at == 0 && bare.startsWith(u'[');
  bool key = at == 0 && !header;
  const qsizetype begin = at;
  while (at < text.size()) {
    const QChar c = text[at];
    if (c == u'#') {
      setFormat(static_cast<int>(at), static_cast<int>(text.size() - at), inkOf(ink().muted));
      break;
    }
    if (key && c == u'=') {
      setFormat(static_cast<int>(begin), static_cast<int>(at - begin + 1), inkOf(ink().muted));
      key = false;
    }
    at = c == u'"' || c == u'\'' ? skipText(text, at) : at + 1;
  }
  if (header) setFormat(0, static_cast<int>(at), inkOf(ink().text, QFont::DemiBold));
}

}  // namespace leasescope
