// A server of one's own for a run: no persistence, a Unix socket in a temporary folder, gone at the end.
#pragma once
#include <QProcess>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/store/url.h"
#include "simulator/live/private_folder.h"

namespace leasescope {

struct PrivateServerOptions {
  std::string password;   // asked of every client; empty = none
  int connections = 100;  // how many will be wanted at once
};

// Dies with this process, however that ends; kill() is what a fault does to it.
class PrivateServer {
 public:
  explicit PrivateServer(StoreKind kind, PrivateServerOptions options = {});
  ~PrivateServer();

  // Runs Qt's event loop until the server answers. Errors say what is missing and how to get it.
  tl::expected<void, std::string> start();
  // Like a power cut.
  void kill();
  // After kill(): at the same address. Redis has forgotten everything, PostgreSQL nothing.
  tl::expected<void, std::string> start_again();
  bool running() const;

  // How to reach it; `given`, as if somebody had named it.
  StoreUrl url() const;

 private:
  QString home() const;  // the server's, in the private folder
  tl::expected<void, std::string> launch_redis();
  tl::expected<void, std::string> launch_postgres();
  tl::expected<void, std::string> make_database();
  tl::expected<void, std::string> launch(const std::string& program, const QStringList& arguments, int death_signal);
  tl::expected<void, std::string> wait_for_answer();
  tl::expected<void, std::string> give_folder_away();

  StoreKind kind_;
  PrivateServerOptions options_;
  std::unique_ptr<PrivateFolder> folder_;
  std::unique_ptr<QProcess> process_;
  unsigned user_ = 0;  // what the server runs as when we are root; 0 = as ourselves
  unsigned group_ = 0;
};

}  // namespace leasescope
