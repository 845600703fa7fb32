// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd.parse_example: what operands and results of the op are, and what goes from one to the other.
#include "runtime/kernels/parsed_features.h"

#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"

#include <unordered_map>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfExample = 4096;

// Positions of operands.
constexpr size_t kSerialized = 0, kNames = 1, kSparseKeys = 2, kDenseKeys = 3, kRaggedKeys = 4,
                 kDefaults = 5;

// Positions of results, and shapes of dense features.
struct Layout {
  size_t sparse, dense, ragged;
  std::vector<Shape> shapes;

  template <typename Call> static Layout of(const Call &call) {
    attributes::nd::ParseExample given(call);
    Layout layout;
    layout.sparse = static_cast<size_t>(given.sparse());
    layout.dense = call.numInputs() - kDefaults;
    layout.ragged = (call.numOutputs() - 3 * layout.sparse - layout.dense) / 2;
    std::span<const int64_t> dims = given.denseShapes();
    for (size_t i = 0; i < layout.dense; ++i) {
      auto rank = static_cast<size_t>(dims[0]);
      layout.shapes.emplace_back(dims.subspan(1, rank));
      dims = dims.subspan(1 + rank);
    }
    return layout;
  }
  size_t sparseValues(size_t i) const { return sparse + i; }
  size_t sparseShape(size_t i) const { return 2 * sparse + i; }
  size_t denseValues(size_t i) const { return 3 * sparse + i; }
  size_t raggedValues(size_t i) const { return 3 * sparse + dense + i; }
  size_t raggedSplits(size_t i) const { return 3 * sparse + dense + ragged + i; }
};

Status checkRank(const Shape &shape, int64_t rank) {
  if (!shape.hasRank() || (rank < 0 ? shape.rank() <= 1 : shape.rank() == rank))
    return okStatus();
  const char *what = rank < 0 ? "scalar or vector" : rank == 0 ? "scalar" : "vector";
  return invalidArgument(std::string("Expected serialized to be a ") + what +
                         ", got shape: " + shape.toString());
}

Status exampleShape(ShapeCall &call) {
  Shape serialized = call.input(kSerialized);
  int64_t rank = attributes::nd::ParseExample(call).rank();
  SLUICE_RETURN_IF_ERROR(checkRank(serialized, rank));
  if (!serialized.hasRank() && rank >= 0)
    serialized = Shape::unknownDims(static_cast<int>(rank));
  Layout layout = Layout::of(call);
  constexpr int64_t kUnknown = Shape::kUnknown;
  int64_t dims = serialized.hasRank() ? serialized.rank() + 1 : kUnknown;
  for (size_t i = 0; i < layout.sparse; ++i) {
    call.output(i) = Shape({kUnknown, dims});
    call.output(layout.sparseValues(i)) = Shape({kUnknown});
    call.output(layout.sparseShape(i)) = Shape({dims});
  }
  for (size_t i = 0; i < layout.dense; ++i) {
    Shape &shape = call.output(layout.denseValues(i)) = serialized;
    for (int64_t dim : layout.shapes[i].dims())
      if (shape.hasRank())
        shape.append(dim);
  }
  int64_t begins = kUnknown;
  if (serialized.isScalar())
    begins = 0;
  else if (serialized.hasRank() && serialized.dim(0) >= 0)
    begins = serialized.dim(0) + 1;
  for (size_t i = 0; i < layout.ragged; ++i) {
    call.output(layout.raggedValues(i)) = Shape({kUnknown});
    call.output(layout.raggedSplits(i)) = Shape({begins});
  }
  return okStatus();
}

// ---- Run

Status checkKeys(const Tensor &keys, size_t count, const char *what) {
  if (keys.rank() == 1 && static_cast<size_t>(keys.elements()) == count)
    return okStatus();
  return invalidArgument(format("Expected len(%s_keys) == len(%s_types) but got: %s vs. %zu", what,
                                what, keys.shape().toString().c_str(), count));
}

Status checkNames(const Tensor &names, const Tensor &serialized) {
  if (names.elements() == 0 || names.shape() == serialized.shape())
    return okStatus();
  return invalidArgument(
      "Expected names have the same shape as serialized: name.shape=" + names.shape().toString() +
      ", serialized.shape=" + serialized.shape().toString());
}

Result<std::vector<ParsedFeature>> featuresOf(KernelCall &call, const Layout &layout) {
  SLUICE_RETURN_IF_ERROR(checkKeys(call.input(kSparseKeys), layout.sparse, "sparse"));
  SLUICE_RETURN_IF_ERROR(checkKeys(call.input(kDenseKeys), layout.dense, "dense"));
  SLUICE_RETURN_IF_ERROR(checkKeys(call.input(kRaggedKeys), layout.ragged, "ragged"));
  const Tensor &serialized = call.input(kSerialized);
  auto key = [&](size_t operand, size_t i) { return call.input(operand).data<std::string>()[i]; };
  std::vector<ParsedFeature> features;
  for (size_t i = 0; i < layout.sparse; ++i)
    features.emplace_back(key(kSparseKeys, i), call.outputType(layout.sparseValues(i)));
  for (size_t i = 0; i < layout.dense; ++i) {
    features.emplace_back(key(kDenseKeys, i), call.outputType(layout.denseValues(i)));
    SLUICE_RETURN_IF_ERROR(features.back().beDense(i, layout.shapes[i], call.input(kDefaults + i),
                                                   serialized.shape()));
  }
  for (size_t i = 0; i < layout.ragged; ++i)
    features.emplace_back(key(kRaggedKeys, i), call.outputType(layout.raggedValues(i)));
  return features;
}

// Features by their keys; a key may be asked for more than once.
using FeaturesByKey = std::unordered_multimap<std::string_view, ParsedFeature *>;

Status takeExample(std::string_view bytes, const FeaturesByKey &byKey, const ExamplePlace &place) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<NamedFeature> named, parseExample(bytes));
  for (size_t i = named.size(); i-- > 0;) { // of a name that is there twice the last one counts
    auto [begin, end] = byKey.equal_range(named[i].name);
    for (auto found = begin; found != end; ++found)
      SLUICE_RETURN_IF_ERROR(found->second->take(named[i].bytes, place));
  }
  return okStatus();
}

Status store(KernelCall &call, const Layout &layout, std::vector<ParsedFeature> &features) {
  bool isBatch = call.input(kSerialized).rank() == 1;
  for (size_t i = 0; i < layout.sparse; ++i)
    SLUICE_RETURN_IF_ERROR(features[i].storeSparse(call.output(i),
                                                   call.output(layout.sparseValues(i)),
                                                   call.output(layout.sparseShape(i)), isBatch));
  for (size_t i = 0; i < layout.dense; ++i)
    SLUICE_RETURN_IF_ERROR(
        features[layout.sparse + i].storeDense(call.output(layout.denseValues(i)), isBatch));
  for (size_t i = 0; i < layout.ragged; ++i) {
    size_t splits = layout.raggedSplits(i);
    SLUICE_RETURN_IF_ERROR(features[layout.sparse + layout.dense + i].storeRagged(
        call.output(layout.raggedValues(i)), call.output(splits), call.outputType(splits),
        isBatch));
  }
  return okStatus();
}

Status exampleRun(KernelCall &call) {
  const Tensor &serialized = call.input(kSerialized), &names = call.input(kNames);
  SLUICE_RETURN_IF_ERROR(checkRank(serialized.shape(), attributes::nd::ParseExample(call).rank()));
  SLUICE_RETURN_IF_ERROR(checkNames(names, serialized));
  Layout layout = Layout::of(call);
  SLUICE_ASSIGN_OR_RETURN(std::vector<ParsedFeature> features, featuresOf(call, layout));
  FeaturesByKey byKey;
  for (ParsedFeature &feature : features)
    byKey.emplace(feature.key(), &feature);
  TurnsOfCall turns(kCostOfExample);
  for (int64_t i = 0; i < serialized.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    ExamplePlace place{i, names.elements() == 0 ? "<unknown>" : names.data<std::string>()[i]};
    SLUICE_RETURN_IF_ERROR(takeExample(serialized.data<std::string>()[i], byKey, place));
    for (ParsedFeature &feature : features)
      SLUICE_RETURN_IF_ERROR(feature.endExample(place));
  }
  return store(call, layout, features);
}

uint64_t exampleWork(const KernelCall &call) {
  uint64_t bytes = 0;
  for (const std::string &text : call.input(kSerialized).values<std::string>())
    bytes += text.size() + static_cast<uint64_t>(kCostOfExample);
  return bytes;
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_parse_example,
                     {exampleShape, exampleRun, Kernel::kAllocates, nullptr, exampleWork})

} // namespace sluice::rt
