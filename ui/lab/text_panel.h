// The scenario as TOML: the same document as the form, letter by letter. An error is told in its line, and at the foot
// in full.
#pragma once
#include <QTimer>

#include "ui/lab/scenario_document.h"
#include "ui/lab/toml_editor.h"
#include "ui/panels/parts.h"

namespace leasescope {

class TextPanel : public Pane {
  Q_OBJECT
 public:
  explicit TextPanel(ScenarioDocument& document, QWidget* parent = nullptr);

  TomlEditor* editor() const { return editor_; }
  QLabel* foot() const { return foot_; }
  // Whatever was typed and not been read yet is read now.
  void flush();
  QSize sizeHint() const override { return {520, 260}; }

 private:
  void load();
  void loadFoot();

  ScenarioDocument& document_;
  TomlEditor* editor_;
  QLabel* foot_;
  QTimer wait_;
  bool crlf_ = false;  // the file's lines end so; the editor's never do
};

}  // namespace leasescope
