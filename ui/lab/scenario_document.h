// The scenario that is edited: its text, what it says, where it lies and how to go back. The form, the text and the
// chart are views of it; whoever changes it does so by one of the edits here, each of which can be undone.
#pragma once
#include <QObject>
#include <QUndoStack>
#include <memory>
#include <optional>

#include "simulator/scenario/text_edit.h"
#include "ui/lab/lab_values.h"

namespace leasescope {

class ScenarioDocument : public QObject {
  Q_OBJECT
 public:
  using Edited = tl::expected<void, QString>;  // the error says what was expected; nothing has changed then

  explicit ScenarioDocument(QObject* parent = nullptr);

  // As it lies there. The error has the place of what is no scenario; then all is as it was.
  tl::expected<void, InputError> open(const LabSource& source);
  void close();

  bool isOpen() const { return scenario_ != nullptr; }
  const LabSource& source() const { return source_; }
  // As it stands, a scenario or not.
  const QByteArray& text() const { return text_; }
  // The last text that is a scenario, and the store.
  const LabValues& values() const { return values_; }
  const Scenario& scenario() const { return *scenario_; }
  // Why the text is none; its place is one of the text. Empty where it is one.
  const std::optional<InputError>& error() const { return error_; }
  QString errorText() const;  // "line 6, column 7: …"
  bool modified() const { return isOpen() && !(text_ == savedText()); }
  QUndoStack& undo() { return undo_; }
  const QUndoStack& undo() const { return undo_; }

  // One key, as `--set` takes it: "mutex.ttl" and "5s".
  Edited edit(const std::string& key, const std::string& value);
  Edited remove(const std::string& key);
  // What was typed; letters that follow each other are one step back.
  void type(const QByteArray& text);
  void setStore(const std::string& store, const QString& what);
  void revert();

  // ---- lists: the plan of faults, the contenders
  // A row of that kind, accepted as it is. Returns its number.
  tl::expected<int, QString> addFault(const std::string& kind, Duration at, Duration lasts, const std::string& target);
  Edited removeFault(int row);
  // What the new kind has no use for goes, what it needs comes.
  Edited setFaultKind(int row, const std::string& kind);
  // Both at once: one step back.
  Edited moveFault(int row, Duration at, std::optional<Duration> lasts);
  Edited addContender();
  Edited removeContender(int row);

  // To the source's file, or another that is its file from then on. Written whole or not at all; the error says why
  // not.
  tl::expected<void, QString> save(const QString& path);

  // Of a step on the undo stack that is not one of these edits: a fork.
  void take(const LabValues& values);

 signals:
  void opened();       // another scenario, or none
  void textChanged();  // also to one that is no scenario; or where it lies, or its error
  void valuesChanged();
  void commentsLost();  // the text could not be changed in place, and was written anew

 private:
  friend class DocumentCommand;
  struct State {
    QByteArray text;
    LabValues values;
  };
  State state() const { return {text_, values_}; }
  void restore(const State& state);
  Edited change(const EditedText& text, const QString& what);
  tl::expected<FaultTable, QString> rowOf(const std::string& lines) const;
  Edited push(State after, const QString& what);
  std::string asText() const { return text_.toStdString(); }
  QByteArray savedText() const { return QByteArray::fromStdString(source_.toml); }

  LabSource source_;
  QByteArray text_;
  LabValues values_;
  std::unique_ptr<Scenario> scenario_;
  std::optional<InputError> error_;
  QUndoStack undo_;
};

}  // namespace leasescope
