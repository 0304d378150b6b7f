// Whoever is asked for the name of a file.
#pragma once
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>

namespace leasescope::tests {

// Pastes a path into the next box that asks for a file, until the box takes it, and accepts.
class AnswersWith {
 public:
  AnswersWith(const QString& path, bool byMouse) {
    timer_.callOnTimeout([this, path, byMouse] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      name->clear();
      QGuiApplication::clipboard()->setText(path);  // letter by letter it would be completed on the way
      QTest::keyClick(name, Qt::Key_V, Qt::ControlModifier);
      const bool opens = dialog->acceptMode() == QFileDialog::AcceptOpen;
      QPushButton* accept =
          dialog->findChild<QDialogButtonBox*>()->button(opens ? QDialogButtonBox::Open : QDialogButtonBox::Save);
      if (!accept->isEnabled()) return;  // the box has not looked into its folder yet
      timer_.stop();
      if (byMouse) return QTest::mouseClick(accept, Qt::LeftButton);
      QTest::keyClick(name, Qt::Key_Return);
    });
    timer_.start(50);
  }

 private:
  QTimer timer_;
};

}  // namespace leasescope::tests
