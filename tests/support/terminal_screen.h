// What a terminal of xterm's kind shows after the bytes that were sent to it: as much of one as programs on ncurses
// use.
#pragma once
#include <QByteArray>
#include <QByteArrayList>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace leasescope::tests {

class TerminalScreen {
 public:
  TerminalScreen(int columns, int rows) { resize(columns, rows); }

  // What it shows then is for the program to say.
  void resize(int columns, int rows) {
    columns_ = columns, rows_ = rows;
    top_ = 0, bottom_ = rows - 1;
    cells_.assign(static_cast<std::size_t>(rows), blank());
    to(0, 0);
  }
  void take(const QByteArray& bytes) {
    pending_ += bytes;
    while (!pending_.isEmpty()) {
      const int used = take_one();
      if (used == 0) return;  // the rest is still to come
      pending_.remove(0, used);
    }
  }

  QStringList lines() const {
    QStringList out;
    for (const std::u32string& row : cells_) out << QString::fromUcs4(row.data(), columns_);
    return out;
  }
  QString text() const { return lines().join('\n'); }
  bool has_left_its_screen() const { return !alternate_; }
  bool shows_cursor() const { return cursor_; }
  const QByteArrayList& unknown() const { return unknown_; }  // what was sent and is not understood

 private:
  std::u32string blank() const { return std::u32string(static_cast<std::size_t>(columns_), U' '); }
  std::u32string& row() { return cells_[static_cast<std::size_t>(y_)]; }
  void to(int x, int y) {
    x_ = std::clamp(x, 0, columns_ - 1);
    y_ = std::clamp(y, 0, rows_ - 1);
    wraps_ = false;
  }
  void scroll(int from, int lines) {  // up; below zero: down
    const auto first = cells_.begin() + from, end = cells_.begin() + bottom_ + 1;
    const int count = std::min(std::abs(lines), bottom_ + 1 - from);
    if (lines > 0) {
      std::rotate(first, first + count, end);
      std::fill(end - count, end, blank());
    } else {
      std::rotate(first, end - count, end);
      std::fill(first, first + count, blank());
    }
  }
  void feed() { y_ == bottom_ ? scroll(top_, 1) : to(x_, y_ + 1); }
  void put(char32_t letter) {
    if (wraps_) {
      to(0, y_);
      feed();
    }
    row()[static_cast<std::size_t>(x_)] = last_ = letter;
    if (x_ + 1 < columns_)
      ++x_;
    else
      wraps_ = true;
  }
  void erase(int from, int end) {
    for (int i = from; i < std::min(end, columns_); ++i) row()[static_cast<std::size_t>(i)] = U' ';
  }

  // Bytes that were understood as one; 0: they are not whole.
  int take_one() {
    const auto first = static_cast<unsigned char>(pending_[0]);
    if (first == 0x1b) return take_escape();
    if (first < 0x20 || first == 0x7f) {
      if (first == '\r') to(0, y_);
      if (first == '\n') wraps_ = false, feed();
      if (first == '\b') to(x_ - 1, y_);
      if (first == '\t') to((x_ / 8 + 1) * 8, y_);
      return 1;
    }
    const int size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (pending_.size() < size) return 0;
    put(QString::fromUtf8(pending_.left(size)).toUcs4().value(0));
    return size;
  }
  int take_escape() {
    if (pending_.size() < 2) return 0;
    switch (pending_[1]) {
      case '[':
        return take_sequence();
      case '(':
      case ')':
        return pending_.size() < 3 ? 0 : 3;
      case ']': {
        const auto end = pending_.indexOf('\a');
        return end < 0 ? 0 : static_cast<int>(end) + 1;
      }
      case '7':
        saved_x_ = x_, saved_y_ = y_;
        return 2;
      case '8':
        to(saved_x_, saved_y_);
        return 2;
      case 'M':
        y_ == top_ ? scroll(top_, -1) : to(x_, y_ - 1);
        return 2;
      case '=':
      case '>':
        return 2;
      default:
        unknown_ << pending_.left(2).toHex();
        return 2;
    }
  }
  int take_sequence() {
    int end = 2;
    while (end < pending_.size() && (pending_[end] < 0x40 || pending_[end] > 0x7e)) ++end;
    if (end >= pending_.size()) return 0;
    carry_out(pending_.mid(2, end - 2), pending_[end]);
    return end + 1;
  }
  void carry_out(const QByteArray& parameters, char what) {
    if (parameters.startsWith('?')) return set_mode(parameters.mid(1), what);
    const QByteArrayList all = parameters.split(';');
    const auto number = [&](int which, int otherwise) {
      const int given = which < all.size() ? all[which].toInt() : 0;
      return given > 0 ? given : otherwise;
    };
    const int n = number(0, 1), mode = number(0, 0);
    switch (what) {
      case 'H':
        return to(number(1, 1) - 1, n - 1);
      case 'A':
        return to(x_, y_ - n);
      case 'B':
        return to(x_, y_ + n);
      case 'C':
        return to(x_ + n, y_);
      case 'D':
        return to(x_ - n, y_);
      case 'G':
        return to(n - 1, y_);
      case 'd':
        return to(x_, n - 1);
      case 'Z':
        return to((x_ - 1) / 8 * 8, y_);
      case 'J':
        return erase_screen(mode);
      case 'K':
        return erase(mode == 0 ? x_ : 0, mode == 1 ? x_ + 1 : columns_);
      case 'X':
        return erase(x_, x_ + n);
      case 'P':
        row().erase(static_cast<std::size_t>(x_), static_cast<std::size_t>(n));
        return row().resize(static_cast<std::size_t>(columns_), U' ');
      case '@':
        row().insert(static_cast<std::size_t>(x_), static_cast<std::size_t>(n), U' ');
        return row().resize(static_cast<std::size_t>(columns_));
      case 'L':
        return scroll(y_, -n);
      case 'M':
        return scroll(y_, n);
      case 'S':
        return scroll(top_, n);
      case 'T':
        return scroll(top_, -n);
      case 'b':
        for (int i = 0; i < n; ++i) put(last_);
        return;
      case 'r':
        top_ = n - 1, bottom_ = number(1, rows_) - 1;
        return to(0, 0);
      case 'm':
      case 't':
      case 'l':
      case 'h':
        return;
      default:
        unknown_ << parameters + what;
    }
  }
  void erase_screen(int mode) {
    const int from = mode == 0 ? y_ + 1 : 0, end = mode == 1 ? y_ : rows_;
    if (mode != 2) erase(mode == 0 ? x_ : 0, mode == 0 ? columns_ : x_ + 1);
    for (int i = from; i < end; ++i) cells_[static_cast<std::size_t>(i)] = blank();
  }
  void set_mode(const QByteArray& modes, char what) {
    for (const QByteArray& each : modes.split(';')) {
      if (each == "1049") alternate_ = what == 'h';
      if (each == "25") cursor_ = what == 'h';
    }
  }

  int columns_ = 0, rows_ = 0;
  int x_ = 0, y_ = 0, saved_x_ = 0, saved_y_ = 0, top_ = 0, bottom_ = 0;
  bool wraps_ = false;  // what comes next stands in the next line
  bool alternate_ = false, cursor_ = true;
  char32_t last_ = U' ';
  std::vector<std::u32string> cells_;
  QByteArray pending_;
  QByteArrayList unknown_;
};

}  // namespace leasescope::tests
