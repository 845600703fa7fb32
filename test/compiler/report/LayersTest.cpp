// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers, bends and orders of small graphs.
#include "compiler/report/Layers.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace sluice::report {
namespace {

LinkedVertices verticesWith(unsigned size, std::vector<Link> links) {
  return {size, std::move(links), std::vector<bool>(size), std::vector<bool>(size)};
}

using Layer = std::vector<unsigned>;

TEST(Layers, EachVertexStandsBelowWhatItNeeds) {
  LinkedVertices graph = verticesWith(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2, 3}));
}

TEST(Layers, ASourceStandsJustAboveItsUser) {
  LinkedVertices graph = verticesWith(4, {{0, 1}, {1, 2}, {3, 2}});
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2, 1}));
}

TEST(Layers, ASourceWithLinesFromAboveStaysOnTop) {
  LinkedVertices graph = verticesWith(4, {{0, 1}, {1, 2}, {3, 2}});
  graph.hasAbove[3] = true;
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2, 0}));
}

TEST(Layers, ACycleIsBrokenWhereItCloses) {
  LinkedVertices graph = verticesWith(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2, 3}));
  EXPECT_TRUE(graph.links[2].isBack);
  EXPECT_FALSE(graph.links[1].isBack);
}

TEST(Layers, ACycleWithoutASourceIsBrokenToo) {
  LinkedVertices graph = verticesWith(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2}));
}

TEST(Layers, AKnownBackLinkTurnsNothingRound) {
  LinkedVertices graph = verticesWith(3, {{2, 0, true}, {0, 1}, {1, 2}});
  EXPECT_EQ(assignLayers(graph), (Layer{0, 1, 2}));
  EXPECT_FALSE(graph.links[1].isBack || graph.links[2].isBack);
}

TEST(Layers, ALongLinkBendsInEachLayerThatItSkips) {
  Layering layering = arrange(verticesWith(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
  ASSERT_EQ(layering.bendsOf[3].size(), 2u);
  EXPECT_TRUE(std::ranges::count(layering.layers[1], layering.bendsOf[3][0]));
  EXPECT_TRUE(std::ranges::count(layering.layers[2], layering.bendsOf[3][1]));
  EXPECT_TRUE(layering.bendsOf[0].empty());
}

TEST(Layers, ABackLinkRunsBesideBothOfItsEnds) {
  Layering layering = arrange(verticesWith(3, {{0, 1}, {1, 2}, {2, 0, true}}));
  ASSERT_EQ(layering.bendsOf[2].size(), 3u); // upwards
  EXPECT_TRUE(std::ranges::count(layering.layers[2], layering.bendsOf[2][0]));
  EXPECT_TRUE(std::ranges::count(layering.layers[0], layering.bendsOf[2][2]));
}

TEST(Layers, ABackLinkThatLeadsDownIsLedLikeOthers) {
  Layering layering = arrange(verticesWith(4, {{0, 1}, {1, 2}, {3, 2, true}}));
  ASSERT_EQ(layering.bendsOf[2].size(), 1u); // in the layer between
  ASSERT_EQ(layering.layers.size(), 3u);
  for (unsigned bend : layering.bendsOf[2])
    EXPECT_TRUE(std::ranges::count(layering.layers[1], bend));
}

TEST(Layers, LinesFromAboveAndToBelowKeepTheirRoom) {
  LinkedVertices graph = verticesWith(3, {{0, 1}, {1, 2}});
  graph.hasAbove[2] = graph.hasBelow[0] = true;
  Layering layering = arrange(graph);
  EXPECT_EQ(layering.bendsAbove[2].size(), 2u);
  EXPECT_EQ(layering.bendsBelow[0].size(), 2u);
}

TEST(Layers, CrossingsThatNeedNotBeAreAvoided) {
  // 0 → 3, 1 → 2: in the order of numbers the two links cross.
  Layering layering = arrange(verticesWith(4, {{0, 3}, {1, 2}}));
  auto place = [&](unsigned layer, unsigned vertex) {
    return std::ranges::find(layering.layers[layer], vertex) - layering.layers[layer].begin();
  };
  EXPECT_EQ(place(0, 0) < place(0, 1), place(1, 3) < place(1, 2));
}

// Beyond 6000 bends links go straight.
TEST(Layers, APictureHasSoManyBends) {
  auto chain = [](unsigned size) {
    LinkedVertices graph = verticesWith(size, {});
    for (unsigned i = 1; i < size; ++i)
      graph.links.push_back({i - 1, i});
    return graph;
  };
  auto isBent = [](const LinkedVertices &graph) {
    Layering layering = arrange(graph);
    size_t items = 0;
    for (const Layer &layer : layering.layers)
      items += layer.size();
    return items > graph.size;
  };
  for (unsigned more : {0, 1}) {
    LinkedVertices skipping = chain(6002 + more);
    skipping.links.push_back({0, 6001 + more});
    EXPECT_EQ(isBent(skipping), !more);
    LinkedVertices back = chain(6000 + more);
    back.links.push_back({5999 + more, 0, true});
    EXPECT_EQ(isBent(back), !more);
    LinkedVertices through = chain(3001 + more);
    through.hasAbove[3000 + more] = through.hasBelow[0] = true;
    EXPECT_EQ(isBent(through), !more);
  }
}

// Sweeps down and up take turns. 12 and 13 are bends; in the end two pairs of links cross.
TEST(Layers, LayersAreSortedByTheirNeighbours) {
  LinkedVertices graph = verticesWith(12, {{0, 6},
                                           {0, 7},
                                           {1, 4},
                                           {2, 5},
                                           {3, 4},
                                           {4, 10},
                                           {5, 8},
                                           {6, 9},
                                           {7, 11},
                                           {1, 9},
                                           {2, 11}});
  EXPECT_EQ(arrange(graph).layers,
            (std::vector<Layer>{{0, 1, 3, 2}, {6, 7, 12, 4, 13, 5}, {9, 11, 10, 8}}));
}

TEST(Layers, NoVertexIsLostOrDrawnTwice) {
  LinkedVertices graph = verticesWith(200, {});
  for (unsigned i = 0; i < 200; ++i)
    for (unsigned next : {i * 7 % 200, i * 13 % 200})
      if (next != i && std::ranges::none_of(graph.links, [&](const Link &link) {
            return link.from == i && link.to == next;
          }))
        graph.links.push_back({i, next});
  Layer seen;
  for (const Layer &layer : arrange(graph).layers)
    for (unsigned item : layer)
      if (item < 200)
        seen.push_back(item);
  std::ranges::sort(seen);
  ASSERT_EQ(seen.size(), 200u);
  for (unsigned i = 0; i < 200; ++i)
    EXPECT_EQ(seen[i], i);
}

TEST(Layers, NothingAtAllHasNoLayers) { EXPECT_TRUE(arrange(verticesWith(0, {})).layers.empty()); }

} // namespace
} // namespace sluice::report
