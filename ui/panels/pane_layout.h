// How panes are laid out that stand in several places: the sections of a panel, and strips above a chart.
#pragma once
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/panels/parts.h"

namespace leasescope {

// A section of a panel, whose rows go into `column`; a line under it parts it from the next one.
QWidget* section(QVBoxLayout*& column, bool line = true);

// Makes a strip of it, with a line under it; what it holds goes into the row.
QHBoxLayout* stripRow(Pane& strip);

}  // namespace leasescope
