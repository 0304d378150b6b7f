// The selected incident told: what it is, when, who with which tokens, and how it came about.
#pragma once
#include <QFormLayout>
#include <QPointer>
#include <QScrollArea>

#include "ui/models/prevention_search.h"
#include "ui/models/session.h"
#include "ui/panels/parts.h"

class QPushButton;

namespace leasescope {

class SelectionPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit SelectionPanel(Session& session, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, 80}; }
  // What the reader has written to the selected incident; empty: nothing.
  void setNote(const QString& note);
  // What would have kept the selected incident away; null: not known, or not yet.
  const Prevention* prevention() const { return search_.found() ? &*search_.found() : nullptr; }

 private:
  void show(int incident);
  QWidget* nothing() const;
  QWidget* card(const Incident& incident) const;
  QWidget* facts(const Incident& incident) const;
  QWidget* story(const Incident& incident) const;
  QWidget* remedies(const Incident& incident);
  void look(const Incident& incident);
  void leaveLooking();
  void tellRemedies();

  Session& session_;
  QString note_;
  PreventionSearch search_;
  QPointer<QLabel> remedies_;
  QPointer<QPushButton> ask_, cancel_;
};

}  // namespace leasescope
