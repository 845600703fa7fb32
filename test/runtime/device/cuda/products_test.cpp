// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a device by cuBLASLt: the simulated one, and the real one where there is a card.
#include "test/runtime/device/cuda/product_cases.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

extern "C" void *sluice_sim_find_library_function(const char *name);

namespace sluice::rt {
namespace {

using test::ProductCase;

constexpr uint64_t kLong = 60'000'000'000;
constexpr StreamId kA = computeStream(0), kB = computeStream(1);

Result<cuda::CublasLt> simulatedLibrary() {
  auto find = [](void *, const char *name) { return sluice_sim_find_library_function(name); };
  return cuda::resolveCublasLt(find, nullptr, "the simulated cuBLASLt");
}

Result<std::unique_ptr<Device>> openWith(Result<cuda::Driver> driver,
                                         Result<cuda::CublasLt> (*load)(), bool allowTf32 = false) {
  if (!driver.ok())
    return driver.status();
  cuda::CudaDevice::Options options;
  options.products = {load, allowTf32};
  auto device = cuda::CudaDevice::open(*driver, 0, options);
  if (!device.ok())
    return device.status();
  return std::unique_ptr<Device>(std::move(*device));
}

// A product's matrices on a device.
class OnDevice {
public:
  OnDevice(Device &device, const ProductCase &c, StreamId stream = kA)
      : device_(device), case_(c), stream_(stream) {
    product_ = c.form();
    product_.lhs = bring(c.lhs);
    product_.rhs = bring(c.rhs);
    if (c.isOnto)
      product_.onto = bring(c.onto);
    product_.result = c.isInPlace ? const_cast<void *>(product_.onto) : take(c.nothing().size());
  }
  MatrixProduct &product() { return product_; }
  // Nothing if the library does not do it.
  std::optional<std::vector<double>> multiply() {
    Result<std::optional<Moment>> done = device_.multiply(product_, stream_);
    EXPECT_TRUE(done.ok()) << done.status().toString();
    if (!done.ok() || !*done)
      return std::nullopt;
    return fetch();
  }
  std::vector<double> fetch() {
    std::vector<std::byte> out(case_.nothing().size());
    Result<Moment> there = device_.copyOut(out.data(), product_.result, out.size(), stream_);
    EXPECT_TRUE(there.ok() && device_.await(*there, {"the product", kLong}).ok());
    return case_.numbers(out);
  }

private:
  void *take(size_t bytes) {
    // Not aligned to more than elements are: parts of larger matrices are not.
    size_t shift = sizeOf(case_.element) * (memory_.size() % 3);
    memory_.push_back(std::move(*device_.allocate(bytes + shift, stream_, "a matrix")));
    return static_cast<std::byte *>(memory_.back().data()) + shift;
  }
  void *bring(const std::vector<std::byte> &bytes) {
    void *data = take(bytes.size());
    EXPECT_TRUE(device_.copyIn(data, bytes.data(), bytes.size(), stream_).ok());
    return data;
  }

  Device &device_;
  const ProductCase &case_;
  StreamId stream_;
  std::vector<DeviceMemory> memory_;
  MatrixProduct product_;
};

void expectAllProducts(Device &device) {
  for (const ProductCase &c : test::productCases()) {
    SCOPED_TRACE(c.text());
    std::optional<std::vector<double>> found = OnDevice(device, c).multiply();
    ASSERT_TRUE(found);
    c.expectNear(*found);
    std::optional<std::vector<double>> again = OnDevice(device, c).multiply();
    EXPECT_EQ(again, found); // of the same algorithm, so of the same bits
  }
}

TEST(CudaProducts, AreThoseOfTheLibrary) {
  auto device = openWith(cuda::loadDriver(), []() { return cuda::loadCublasLt(); });
  if (!device.ok())
    GTEST_SKIP() << device.status().message();
  if (auto library = cuda::loadCublasLt(); !library.ok())
    GTEST_SKIP() << library.status().message();
  expectAllProducts(**device);
}

struct SimulatedProducts : testing::Test {
  void open(bool allowTf32 = false) {
    auto opened = openWith(simulatedDriver(), &simulatedLibrary, allowTf32);
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    device = std::move(*opened);
  }
  SimulatorSetting library{"SLUICE_SIM_CUBLASLT", "1"};
  std::unique_ptr<Device> device;
};

TEST_F(SimulatedProducts, OfAllForms) {
  open();
  expectAllProducts(*device);
}

TEST_F(SimulatedProducts, OfManyFormsAgainAndAgain) {
  open();
  for (int64_t n = 1; n < 600; ++n) {
    ProductCase c(DType::kF32, 1, n, 2);
    auto found = OnDevice(*device, c).multiply();
    ASSERT_TRUE(found);
    c.expectNear(*found);
  }
}

TEST_F(SimulatedProducts, RoundFactorsOnlyIfThatIsAllowed) {
  ProductCase c(DType::kF32, 3, 4, 5);
  std::optional<std::vector<double>> results[2];
  for (bool allowed : {false, true}) {
    open(allowed);
    results[allowed] = OnDevice(*device, c).multiply();
    device.reset();
  }
  ASSERT_TRUE(results[0] && results[1]);
  c.expectNear(*results[0]);
  c.expectNear(*results[1], 2e-3);
  EXPECT_NE(*results[0], *results[1]);
}

TEST_F(SimulatedProducts, LeaveWhatTheLibraryHasNoWordsFor) {
  open();
  ProductCase c(DType::kF32, 2, 3, 4);
  OnDevice there(*device, c);
  auto isLeft = [&](auto change) {
    MatrixProduct product = there.product();
    change(product);
    auto done = device->multiply(product, kA);
    return done.ok() && !*done;
  };
  EXPECT_TRUE(isLeft([](MatrixProduct &p) { p.element = DType::kI32; }));
  EXPECT_TRUE(isLeft([](MatrixProduct &p) { p.k = 0; }));
  EXPECT_TRUE(isLeft([](MatrixProduct &p) { p.batches = 0; }));
  EXPECT_TRUE(isLeft([](MatrixProduct &p) { p.leadingLhs = 3; }));
  EXPECT_FALSE(isLeft([](MatrixProduct &) {}));
}

TEST_F(SimulatedProducts, AreInTheOrderOfTheirStream) {
  for (uint64_t seed = 1; seed <= 8; ++seed)
    for (bool isOrdered : {true, false}) {
      SimulatorSetting drawn("SLUICE_SIM_SEED", std::to_string(seed));
      open();
      ProductCase c(DType::kF32, 8, 8, 80); // with a workspace
      auto there = std::make_unique<OnDevice>(*device, c, kA);
      testing::internal::CaptureStderr();
      if (isOrdered)
        ASSERT_TRUE(device->order(kB, device->lastMoment(kA)).ok());
      Status status = device->multiply(there->product(), kB).status();
      for (StreamId stream : {kB, kA}) // whichever ran first
        if (status.ok())
          status = device->await(device->lastMoment(stream), {"the product", kLong});
      EXPECT_EQ(status.ok(), isOrdered);
      there.reset();
      device.reset();
      std::string told = testing::internal::GetCapturedStderr();
      EXPECT_EQ(told.find("race: ") != told.npos && told.find("cuBLASLt") != told.npos, !isOrdered)
          << told;
    }
}

// The workspace goes to others only when the product is over.
TEST_F(SimulatedProducts, HaveMemoryOfTheirOwn) {
  open();
  ProductCase c(DType::kF32, 8, 8, 80);
  OnDevice there(*device, c, kA);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(device->multiply(there.product(), kA).ok());
    auto memory = device->allocate(4096, kB, "another");
    ASSERT_TRUE(memory.ok());
    Result<Moment> filled = device->fill(memory->data(), 1, 4, 1024, kB);
    ASSERT_TRUE(filled.ok() && memory->noteUse(*filled).ok());
  }
  c.expectNear(there.fetch());
}

TEST_F(SimulatedProducts, AccessesBeyondAMatrixAreFound) {
  open();
  ProductCase c(DType::kF32, 8, 8, 8);
  OnDevice there(*device, c);
  there.product().leadingRhs = 1 << 24;
  testing::internal::CaptureStderr();
  Status status = device->multiply(there.product(), kA).status();
  if (status.ok())
    status = device->await(device->lastMoment(kA), {"the product", kLong});
  EXPECT_FALSE(status.ok());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a product of cuBLASLt"),
            std::string::npos);
}

// What it says no to is for a kernel; the second time it is not asked.
TEST_F(SimulatedProducts, MayBeRefused) {
  for (const char *failure :
       {"cublasLtCreate:1=1", "cublasLtMatmulDescCreate:1=3", "cublasLtMatrixLayoutCreate:2=3",
        "cublasLtMatmulPreferenceCreate:1=3", "cublasLtMatmulAlgoGetHeuristic:1=15",
        "cublasLtMatmul:1=15"}) {
    SimulatorSetting failing("SLUICE_SIM_FAIL", failure);
    SCOPED_TRACE(failure);
    open();
    ProductCase c(DType::kF32, 3, 4, 5), other(DType::kF32, 5, 4, 3);
    for (int i = 0; i < 2; ++i)
      EXPECT_FALSE(OnDevice(*device, c).multiply());
    EXPECT_EQ(OnDevice(*device, other).multiply().has_value(),
              std::string(failure) != "cublasLtCreate:1=1");
    device.reset();
  }
}

TEST_F(SimulatedProducts, MayFail) {
  SimulatorSetting failing("SLUICE_SIM_FAIL", "cublasLtMatmul:1=13");
  open();
  ProductCase c(DType::kF32, 3, 4, 5);
  EXPECT_EQ(device->multiply(OnDevice(*device, c).product(), kA).status().toString(),
            "INTERNAL: GPU:0: cublasLtMatmul failed with answer 13");
  device.reset();
}

TEST(LoadCublasLt, SaysWhatIsMissing) {
  constexpr const char *kNone[] = {"libthere-is-none.so.1", "libnor-this.so.2"};
  Status missing = cuda::loadCublasLt(kNone).status();
  EXPECT_EQ(missing.code(), Code::kUnavailable);
  for (const char *part : {"cuBLASLt is missing", "libthere-is-none.so.1", "libnor-this.so.2"})
    EXPECT_NE(missing.message().find(part), std::string::npos) << missing.message();
  constexpr const char *kOther[] = {"libthere-is-none.so.1", "libm.so.6"};
  EXPECT_EQ(cuda::loadCublasLt(kOther).status().toString(),
            "UNAVAILABLE: libm.so.6 has no 'cublasLtCreate'");
  EXPECT_EQ(simulatedLibrary().status().code(), Code::kUnavailable);
}

} // namespace
} // namespace sluice::rt
