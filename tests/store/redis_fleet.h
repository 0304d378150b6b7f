// Private Redis servers that belong together, on ports of the loopback, in a temporary folder, ended with the test.
#pragma once
#include <sys/prctl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>

#include "core/store/redis/asker.h"
#include "core/store/redis/store_type.h"
#include "tests/store/free_port.h"
#include "tests/store/rig.h"
#include "tests/support/redis_program.h"

namespace leasescope::tests {

class RedisFleet {
 public:
  using Words = std::vector<std::string>;

  // A server with these options beside what all have; its place. It answers when this returns, or started() is false.
  std::size_t add(const Words& options, const Words& lines_of_file = {}) {
    members_.push_back(std::make_unique<Member>());
    Member& member = *members_.back();
    member.port = free_port();
    const QString home = folder_.path() + "/" + QString::number(member.port);
    QDir().mkpath(home);
    member.arguments << home + "/redis.conf";
    QFile file(home + "/redis.conf");
    started_ = started_ && file.open(QIODevice::WriteOnly);
    Words lines{"port " + std::to_string(member.port),
                "bind 127.0.0.1",
                "dir " + home.toStdString(),
                "save \"\"",
                "appendonly no",
                "daemonize no",
                "enable-debug-command yes"};
    lines.insert(lines.end(), lines_of_file.begin(), lines_of_file.end());
    for (const std::string& line : lines) file.write(QByteArray::fromStdString(line + "\n"));
    file.close();
    for (const std::string& option : options) member.arguments << QString::fromStdString(option);
    started_ = started_ && start(members_.size() - 1);
    return members_.size() - 1;
  }
  ~RedisFleet() {
    for (std::size_t i = 0; i < members_.size(); ++i) kill(i);
  }

  bool started() const { return started_; }
  int port(std::size_t member) const { return members_[member]->port; }
  StoreUrl url(std::size_t member) const {
    StoreUrl url;
    url.type = &redis::store_type();
    url.given = true;
    url.endpoint.port = port(member);
    return url;
  }
  bool start(std::size_t member) {
    Member& each = *members_[member];
    each.process.setProcessChannelMode(QProcess::MergedChannels);
    each.process.setChildProcessModifier([parent = ::getpid()] {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(127);
    });
    each.process.start(each.program, each.arguments);
    return wait_until([&] { return ask(member, {"PING"}) == "PONG"; }, milliseconds(5000));
  }
  // Without a word to anybody.
  void kill(std::size_t member) {
    QProcess& process = members_[member]->process;
    if (process.state() == QProcess::NotRunning) return;
    process.kill();
    process.waitForFinished(3000);
  }
  std::string said(std::size_t member) { return members_[member]->process.readAll().toStdString(); }
  // Asks what is not answered soon, and waits for nothing.
  void begin_to_ask(std::size_t member, const Words& words) {
    asked_.push_back(std::make_unique<redis::Asker>(milliseconds(20'000)));
    if (asked_.back()->connect(url(member))) (void)asked_.back()->say(words);
  }
  // What it answers, as one text; an error begins with '-', without a connection it is empty.
  std::string ask(std::size_t member, const Words& words) const {
    redis::Asker asker(milliseconds(2000));
    if (!asker.connect(url(member))) return {};
    const auto answer = asker.ask(words);
    return answer ? flat(*answer) : "-" + answer.error();
  }
  bool comes_to_say(std::size_t member, const Words& words, const std::string& part, milliseconds within) const {
    return wait_until([&] { return ask(member, words).find(part) != std::string::npos; }, within);
  }

 private:
  struct Member {
    QProcess process;
    QString program = redis_server_program();
    QStringList arguments;
    int port = 0;
  };

  static std::string flat(const redis::RespValue& value) {
    if (value.kind == redis::RespValue::Kind::kInteger) return std::to_string(value.integer);
    if (value.kind != redis::RespValue::Kind::kList) return value.text;
    std::string out;
    for (const redis::RespValue& item : value.items) out += (out.empty() ? "" : " ") + flat(item);
    return out;
  }

  QTemporaryDir folder_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::unique_ptr<redis::Asker>> asked_;
  bool started_ = true;
};

}  // namespace leasescope::tests
