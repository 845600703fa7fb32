// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files, and patterns of them.
#include "runtime/io/memory_disk.h"
#include "runtime/io/records/local_path.h"
#include "runtime/io/records/matching_paths.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;

TEST(LocalPath, Schemes) {
  EXPECT_EQ(*localPath("/a/b"), "/a/b");
  EXPECT_EQ(*localPath(""), "");
  EXPECT_EQ(*localPath("file:///a/b"), "/a/b");
  EXPECT_EQ(*localPath("file://host/a/b"), "/a/b"); // a host does not count
  EXPECT_EQ(*localPath("file://a"), "");
  EXPECT_EQ(*localPath("file://"), "");
  EXPECT_EQ(*localPath("file:/a"), "file:/a");
  EXPECT_EQ(*localPath("a-b://c"), "a-b://c");
  EXPECT_EQ(*localPath("a b://c"), "a b://c"); // no scheme
  EXPECT_EQ(*localPath("://c"), "://c");
  EXPECT_EQ(*localPath("1s://c"), "1s://c");
  Status status = localPath("s3://x/y").status();
  EXPECT_EQ(status.code(), Code::kUnimplemented);
  EXPECT_EQ(status.message(), "File system scheme 's3' not implemented (file: 's3://x/y')");
  for (const char *name : {"A.b9://x", "z://x", "Z0://", "FILE:///a", "s3://a://b"})
    EXPECT_EQ(localPath(name).status().code(), Code::kUnimplemented) << name;
}

TEST(MatchingPaths, AsTensorFlowFindsThem) {
  MemoryDisk disk;
  for (const char *path : {"/r/d/.hid.txt", "/r/d/a.txt", "/r/d/b.txt", "/r/d/c[1].txt",
                           "/r/d/sub/x.txt", "/r/e/a.txt", "./d/a.txt"})
    disk.files[path] = "";
  auto matching = [&](const std::string &pattern) {
    Texts found = *matchingPaths(pattern, disk);
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(matching("/r/d/*.txt"),
            (Texts{"/r/d/.hid.txt", "/r/d/a.txt", "/r/d/b.txt", "/r/d/c[1].txt"}));
  EXPECT_EQ(matching("/r/d/s*"), Texts{"/r/d/sub"});
  EXPECT_EQ(matching("/r/*/a.txt"), (Texts{"/r/d/a.txt", "/r/e/a.txt"}));
  EXPECT_EQ(matching("/r/d/c[1].txt"), Texts{});
  EXPECT_EQ(matching("/r/d/c\\[1\\].txt"), Texts{"/r/d/c[1].txt"});
  EXPECT_EQ(matching("/r/d/[!a].txt"), Texts{"/r/d/b.txt"});
  EXPECT_EQ(matching("/r/d/a\\.txt"), Texts{"/r/d/a.txt"});
  EXPECT_EQ(matching("/r/d/a\\.tx"), Texts{});
  EXPECT_EQ(matching("/r/[de]/a.t?t"), (Texts{"/r/d/a.txt", "/r/e/a.txt"}));
  EXPECT_EQ(matching("/r/d/?.txt"), (Texts{"/r/d/a.txt", "/r/d/b.txt"}));
  EXPECT_EQ(matching("/*/d/a.txt"), Texts{"/r/d/a.txt"});
  EXPECT_EQ(matching("*/a.txt"), Texts{"./d/a.txt"});
  EXPECT_EQ(matching("/r//*/a.txt"), (Texts{"/r/d/a.txt", "/r/e/a.txt"}));
  EXPECT_EQ(matching("/r/d*//a*"), Texts{"/r/d/a.txt"});
  EXPECT_EQ(matching("/r/d/a.txt"), Texts{"/r/d/a.txt"});
  EXPECT_EQ(matching("/r/d"), Texts{"/r/d"});
  EXPECT_EQ(matching("/r/d/zz"), Texts{});
  EXPECT_EQ(matching("/none/*"), Texts{});
  EXPECT_EQ(matching(""), Texts{});
}

} // namespace
} // namespace sluice::rt
