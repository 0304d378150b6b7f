#include "ui/lab/lab_values.h"

#include <algorithm>
#include <filesystem>

#include <QFile>

#include "core/store/url.h"
#include "simulator/scenario/catalogue.h"

namespace leasescope {

tl::expected<LabSource, InputError> findSource(const std::string& nameOrPath) {
  for (const BuiltIn& builtIn : built_in_scenarios())
    if (builtIn.name == nameOrPath) return LabSource{builtIn.name, builtIn.toml, true};
  QFile file(QString::fromStdString(nameOrPath));
  if (file.open(QIODevice::ReadOnly)) return LabSource{nameOrPath, file.readAll().toStdString(), false};
  InputError error;
  error.file = nameOrPath;
  const bool looksLikeFile = nameOrPath.find('.') != std::string::npos || nameOrPath.find('/') != std::string::npos;
  error.message = looksLikeFile
                      ? "the file cannot be read: " + file.errorString().toStdString()
                      : "there is no such scenario and no such file; expected a name of the list or a TOML file";
  return tl::make_unexpected(error);
}

tl::expected<Scenario, InputError> readScenario(const LabSource& source, const LabValues& values) {
  std::vector<std::string> overrides;
  for (const auto& [key, value] : values.overrides) overrides.push_back(key + "=" + value);
  auto scenario = read_scenario(source.toml, source.name, overrides);
  if (!scenario) return scenario;
  scenario->name = source.builtIn ? source.name : std::filesystem::path(source.name).stem().string();
  for (const int row : values.faultsOff)
    if (row >= 0 && static_cast<std::size_t>(row) < scenario->faults.size())
      scenario->faults[static_cast<std::size_t>(row)].enabled = false;
  return scenario;
}

std::string shownStore(const std::string& store) {
  if (store == "model") return store;
  const auto url = parse_store_url(store);
  return url ? printable(*url) : std::string("a store");  // cannot be: only stores that were read are kept
}

}  // namespace leasescope
