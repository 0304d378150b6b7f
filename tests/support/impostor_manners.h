// The table of impostors: at which step each begins to misbehave, and how. Up to there it is believed.
#pragma once
#include <string>
#include <vector>

#include "tests/support/impostor.h"
#include "tests/support/impostor_words.h"

namespace leasescope::tests {

struct ImpostorRow {
  std::string name;
  std::string scheme;  // of the URL
  std::string path;    // of it
  std::string scenario;
  Impostor::Manner manner;
};

// `sound`: what a sound server would say here.
using Misbehaviour = void (*)(Peer& peer, const std::string& sound);

struct NamedMisbehaviour {
  const char* name;
  Misbehaviour act;
};

inline void flood(Peer& peer, const std::string& bytes) {
  std::string many;
  while (many.size() < 60'000) many += bytes;
  while (peer.say(many)) {
  }
}

inline void drip(Peer& peer, const std::string& bytes, int ms) {
  for (const char c : bytes) {
    if (!peer.say({&c, 1})) return;
    peer.rest(ms);
  }
  peer.be_silent();
}

inline const std::vector<NamedMisbehaviour>& misbehaviours_of_any() {
  static const std::vector<NamedMisbehaviour> all{
      {"is silent", [](Peer& peer, const std::string&) { peer.be_silent(); }},
      {"closes", [](Peer&, const std::string&) {}},
      {"speaks HTTP",
       [](Peer& peer, const std::string&) {
         peer.say("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>");
         peer.be_silent();
       }},
      {"speaks SSH",
       [](Peer& peer, const std::string&) {
         peer.say("SSH-2.0-OpenSSH_9.2\r\n");
         peer.be_silent();
       }},
      {"drips a byte every 200 ms", [](Peer& peer, const std::string& sound) { drip(peer, sound, 200); }},
      {"answers by halves",
       [](Peer& peer, const std::string& sound) {
         peer.say(sound.substr(0, sound.size() / 2));
         peer.be_silent();
       }},
      {"answers twice",
       [](Peer& peer, const std::string& sound) {
         peer.say(sound + sound);
         peer.be_silent();
       }},
      {"floods zeros", [](Peer& peer, const std::string&) { flood(peer, std::string(1000, '\0')); }},
      {"floods letters", [](Peer& peer, const std::string&) { flood(peer, std::string(1000, 'D')); }},
      {"floods what would be sound", [](Peer& peer, const std::string& sound) { flood(peer, sound); }},
      {"answers with random bytes",
       [](Peer& peer, const std::string&) {
         std::string bytes;
         std::uint32_t state = 1;
         for (int i = 0; i < 5000; ++i) bytes += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
         peer.say(bytes);
         peer.be_silent();
       }},
  };
  return all;
}

inline const std::vector<NamedMisbehaviour>& misbehaviours_of_redis() {
  static const std::vector<NamedMisbehaviour> all{
      {"announces a gigabyte",
       [](Peer& peer, const std::string&) {
         peer.say("$999999999\r\n");
         flood(peer, "x");
       }},
      {"announces a milliard items",
       [](Peer& peer, const std::string&) {
         peer.say("*1000000000\r\n");
         flood(peer, ":1\r\n");
       }},
      {"sends an endless line",
       [](Peer& peer, const std::string&) {
         peer.say("+");
         flood(peer, "a");
       }},
      {"sends an endless length",
       [](Peer& peer, const std::string&) {
         peer.say("$");
         flood(peer, "1");
       }},
      {"sends lists in lists", [](Peer& peer, const std::string&) { flood(peer, "*1\r\n"); }},
      {"answers nothing in a list",
       [](Peer& peer, const std::string&) {
         peer.say("*0\r\n");
         peer.be_silent();
       }},
      {"answers numbers for names",
       [](Peer& peer, const std::string&) {
         peer.say("*3\r\n:1\r\n:2\r\n:3\r\n");
         peer.be_silent();
       }},
      {"answers nil",
       [](Peer& peer, const std::string&) {
         peer.say("$-1\r\n");
         peer.be_silent();
       }},
      {"pushes messages nobody wants",
       [](Peer& peer, const std::string& sound) {
         for (int i = 0; i < 20'000; ++i)
           if (!peer.say("*3\r\n" + bulk("message") + bulk("simba:{x}") + bulk("acquired@@x" + std::to_string(i))))
             return;
         peer.say(sound);
         peer.be_silent();
       }},
      {"says OK to everything",
       [](Peer& peer, const std::string&) {
         do peer.say("+OK\r\n");
         while (!peer.hear_command().empty());
       }},
      {"refuses everything",
       [](Peer& peer, const std::string&) {
         do peer.say("-ERR no\r\n");
         while (!peer.hear_command().empty());
       }},
      {"is loading for ever",
       [](Peer& peer, const std::string&) {
         do peer.say("-LOADING Redis is loading the dataset in memory\r\n");
         while (!peer.hear_command().empty());
       }},
      {"knows no script",
       [](Peer& peer, const std::string&) {
         do peer.say("-NOSCRIPT No matching script.\r\n");
         while (!peer.hear_command().empty());
       }},
  };
  return all;
}

inline const std::vector<NamedMisbehaviour>& misbehaviours_of_postgres() {
  using namespace postgres_words;
  static const std::vector<NamedMisbehaviour> all{
      {"announces a row of 1 GB",
       [](Peer& peer, const std::string&) {
         peer.say('D' + number(0x3fffffff));
         flood(peer, "x");
       }},
      {"announces an error of 1 GB",
       [](Peer& peer, const std::string&) {
         peer.say('E' + number(0x3fffffff));
         flood(peer, "x");
       }},
      {"wants to copy",
       [](Peer& peer, const std::string&) {
         peer.say(frame('G', number(0, 1) + number(0, 2)));
         peer.be_silent();
       }},
      {"announces a length of 0",
       [](Peer& peer, const std::string&) {
         peer.say('D' + number(0) + "xxxx");
         peer.be_silent();
       }},
      {"floods rows",
       [](Peer& peer, const std::string& sound) {
         peer.say(sound.substr(0, sound.find('D')));
         flood(peer, frame('D', number(1, 2) + number(1000) + std::string(1000, 'x')));
       }},
      {"floods settings",
       [](Peer& peer, const std::string&) {
         for (int i = 0; peer.say(setting("name" + std::to_string(i), std::string(1000, 'x'))); ++i) {
         }
       }},
      {"floods notices",
       [](Peer& peer, const std::string&) {
         flood(peer, frame('N', std::string("SNOTICE") + '\0' + "Mhear" + '\0' + '\0'));
       }},
      {"floods notifications",
       [](Peer& peer, const std::string&) {
         flood(peer, frame('A', number(7) + "chan" + '\0' + "released@@x" + '\0'));
       }},
      {"refuses everything",
       [](Peer& peer, const std::string&) {
         do peer.say(error("42501", "permission denied") + ready());
         while (!peer.gone() && !peer.hear().empty());
       }},
  };
  return all;
}

// Sound up to the `step`th command of each connection from the `from`th on, then it misbehaves.
inline Impostor::Manner redis_impostor(int from, int step, Misbehaviour act) {
  return [=](Peer& peer, int number) {
    if (number >= from && step == 0) return act(peer, "+PONG\r\n");
    for (int i = 1;; ++i) {
      const Words words = peer.hear_command();
      if (words.empty()) return;
      if (number >= from && i >= step) return act(peer, redis_answer(words));
      peer.say(redis_answer(words));
    }
  };
}

inline Impostor::Manner postgres_impostor(int from, int step, Misbehaviour act) {
  return [=](Peer& peer, int number) {
    // The wish for encryption is declined, then comes the start.
    std::string start = peer.hear(8);
    if (start.size() == 8 && start[4] == 4 && start[5] == '\xd2') {
      peer.say("N");
      start = peer.hear(8);
    }
    if (start.size() != 8) return;
    peer.hear(static_cast<std::size_t>(static_cast<unsigned char>(start[2])) * 256 +
              static_cast<unsigned char>(start[3]) - 8);
    if (number >= from && step == 0) return act(peer, postgres_words::welcome());
    peer.say(postgres_words::welcome());
    for (int i = 1; !peer.gone();) {
      const std::string head = peer.hear(5);
      if (head.size() != 5) return;
      peer.hear(static_cast<std::size_t>(static_cast<unsigned char>(head[3])) * 256 +
                static_cast<unsigned char>(head[4]) - 4);
      const std::string sound = postgres_answer(head[0]);
      if (sound.empty()) continue;
      if (number >= from && i++ >= step) return act(peer, sound);
      peer.say(sound);
    }
  };
}

inline const std::vector<NamedMisbehaviour>& misbehaviours_of_mysql() {
  using namespace mysql_words;
  static const std::vector<NamedMisbehaviour> all{
      {"announces a packet of 16 MB",
       [](Peer& peer, const std::string&) {
         peer.say("\xff\xff\xff\1");
         flood(peer, "x");
       }},
      {"announces 2^24 columns",
       [](Peer& peer, const std::string&) {
         peer.say(packet(1, "\xfd\xff\xff\xff"));
         flood(peer, packet(2, counted("def")));
       }},
      {"floods rows",
       [](Peer& peer, const std::string& sound) {
         peer.say(sound.substr(0, sound.size() / 2));
         flood(peer, packet(5, counted(std::string(200, 'x'))));
       }},
      {"always has more results",
       [](Peer& peer, const std::string&) {
         flood(peer, packet(1, std::string("\0\0\0", 3) + number(0xa, 2) + number(0, 2)));
       }},
      {"asks for a file of ours",
       [](Peer& peer, const std::string&) {
         peer.say(packet(1, "\xfb/etc/passwd"));
         peer.be_silent();
       }},
      {"wants another login",
       [](Peer& peer, const std::string&) {
         peer.say(packet(2, std::string("\xfe") + "dialog" + '\0' + "Password: "));
         peer.be_silent();
       }},
      {"answers an empty packet",
       [](Peer& peer, const std::string&) {
         peer.say(packet(1, ""));
         peer.be_silent();
       }},
      {"answers rows without columns",
       [](Peer& peer, const std::string&) {
         peer.say(row({}));
         peer.be_silent();
       }},
      {"refuses everything",
       [](Peer& peer, const std::string&) {
         do peer.say(error(1142, "INSERT command denied"));
         while (!peer.gone() && !peer.hear().empty());
       }},
      {"is always in a deadlock",
       [](Peer& peer, const std::string&) {
         do peer.say(error(1213, "Deadlock found"));
         while (!peer.gone() && !peer.hear().empty());
       }},
  };
  return all;
}

inline Impostor::Manner mysql_impostor(int from, int step, Misbehaviour act) {
  return [=](Peer& peer, int number) {
    const auto hear = [&peer] {
      const std::string head = peer.hear(4);
      if (head.size() != 4) return std::string();
      return peer.hear(static_cast<std::size_t>(static_cast<unsigned char>(head[1])) * 256 +
                       static_cast<unsigned char>(head[0]));
    };
    if (number >= from && step == 0) return act(peer, mysql_words::greeting());
    peer.say(mysql_words::greeting());
    hear();
    if (number >= from && step == 1) return act(peer, mysql_words::ok(2));
    peer.say(mysql_words::ok(2));
    for (int i = 2; !peer.gone(); ++i) {
      const std::string sound = mysql_answer(hear());
      if (number >= from && i >= step) return act(peer, sound);
      peer.say(sound);
    }
  };
}

// Every misbehaviour at every step: of the look before the run (the first connection), and of the run.
inline std::vector<ImpostorRow> all_impostors() {
  struct Step {
    const char* name;
    int from, step;
  };
  std::vector<ImpostorRow> rows;
  const auto add = [&](const char* scheme, const char* path, const std::vector<Step>& steps,
                       const std::vector<NamedMisbehaviour>& ways, Impostor::Manner (*make)(int, int, Misbehaviour)) {
    for (const Step& step : steps)
      for (const NamedMisbehaviour& way : ways)
        rows.push_back({std::string(scheme) + " " + way.name + ", " + step.name, scheme, path, "healthy",
                        make(step.from, step.step, way.act)});
  };
  const std::vector<Step> redis{{"when called", 0, 0},
                                {"in the look's greeting", 0, 1},
                                {"later in the look", 0, 2},
                                {"in the run's greeting", 1, 1},
                                {"in the run's calls", 1, 2}};
  const std::vector<Step> postgres{
      {"when called", 0, 0}, {"after the login", 0, 1}, {"later in the look", 0, 3}, {"in the run", 1, 1}};
  const std::vector<Step> mysql{{"when called", 0, 0},          {"at the login", 0, 1},
                                {"first in the look", 0, 2},    {"later in the look", 0, 4},
                                {"in the run's session", 1, 2}, {"in the run's calls", 1, 4}};
  add("redis", "", redis, misbehaviours_of_any(), redis_impostor);
  add("redis", "", redis, misbehaviours_of_redis(), redis_impostor);
  add("postgresql", "", postgres, misbehaviours_of_any(), postgres_impostor);
  add("postgresql", "", postgres, misbehaviours_of_postgres(), postgres_impostor);
  add("mysql", "/db", mysql, misbehaviours_of_any(), mysql_impostor);
  add("mysql", "/db", mysql, misbehaviours_of_mysql(), mysql_impostor);
  // A session is answered by its length, its number and its password: 37 bytes after a length.
  const std::string session =
      std::string("\0\0\0\x25\0\0\0\0\0\0\x13\x88\0\0\0\0\0\0\0\1\0\0\0\x10", 24) + std::string(17, '\0');
  for (const NamedMisbehaviour& way : misbehaviours_of_any()) {
    const auto when_called = [way, session](Peer& peer, int) { way.act(peer, session); };
    const auto later = [way, session](Peer& peer, int) {
      peer.say(session);
      peer.hear();
      way.act(peer, std::string("\0\0\0\x10", 4) + std::string(16, '\0'));
    };
    rows.push_back(
        {std::string("zookeeper ") + way.name + ", when called", "zookeeper", "", "latch-healthy", when_called});
    rows.push_back(
        {std::string("zookeeper ") + way.name + ", in the session", "zookeeper", "", "latch-healthy", later});
  }
  return rows;
}

}  // namespace leasescope::tests
