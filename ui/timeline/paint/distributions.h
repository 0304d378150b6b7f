// Distributions of two worlds as one drawing: of each measure the share of values up to each, live and virtual.
#pragma once
#include <string>
#include <vector>

#include <QString>

namespace leasescope {

struct DistributionPanel {
  std::string name;                    // "hand-off"
  std::string unit;                    // "ms"
  std::vector<double> live, foretold;  // in order, not empty
  double distance = 0;                 // by Kolmogorov and Smirnov
};

// An SVG. Needs a QGuiApplication; the platform "offscreen" will do. False with the reason when it cannot be written.
bool write_distributions(const QString& title, const std::vector<DistributionPanel>& panels, const QString& path,
                         QString* error = nullptr);

}  // namespace leasescope
