# What every input of the virtual world runs through, made a tenth faster than by -O3 alone (tests/bench, contention/100,
# both builds in turns).
if(LEASESCOPE_ONE_PIECE)
  set(hot trace_hash event_queue world world_links world_server world_work)
  list(TRANSFORM hot REPLACE "(.+)" "simulator/engine/\\1.cpp")
  list(APPEND hot simulator/model/redis_model.cpp simulator/model/sql_model.cpp simulator/run/bare_run.cpp)
  set_source_files_properties(${hot} PROPERTIES UNITY_GROUP hot)
  set_target_properties(leasescope_simulator PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endif()

# g++ inlines too little of it, and joins neighbouring fields into wide stores and loads, which wait for each other.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(room leasescope_core leasescope_simulator)
    target_compile_options(
      ${room} PRIVATE -fno-tree-slp-vectorize "SHELL:--param max-inline-insns-auto=60"
                      "SHELL:--param inline-unit-growth=300" "SHELL:--param large-function-growth=1000")
  endforeach()
endif()
