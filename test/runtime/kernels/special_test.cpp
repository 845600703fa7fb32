// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions: values of all branches of their formulas, and what they are outside of their
// domains.
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

using Doubles = std::vector<double>;

Tensor vectorOf(const Doubles &values) {
  return tensor<double>({static_cast<int64_t>(values.size())}, values);
}

void expectNear(const KernelResult &result, const Doubles &expected, double tolerance = 1e-13) {
  ASSERT_TRUE(result.ok()) << result.status.toString();
  const Doubles found = valuesOf<double>(*result);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    if (std::isfinite(expected[i]))
      EXPECT_NEAR(found[i], expected[i], tolerance * std::abs(expected[i])) << i;
    else
      EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : found[i] == expected[i])
          << i << ": " << found[i];
}

struct OfOne {
  const char *name;
  const Kernel &kernel;
  Doubles x, expected;
};
struct OfTwo {
  const char *name;
  const Kernel &kernel;
  Doubles lhs, rhs, expected;
};

TEST(Special, ValuesOfOneOperand) {
  const OfOne table[] = {
      {"erf", sluice_kernel_sci_erf_f64, {0.5, -2}, {0.52049987781304654, -0.99532226501895273}},
      {"erfc",
       sluice_kernel_sci_erfc_f64,
       {0.5, 10},
       {0.47950012218695346, 2.0884875837625448e-45}},
      {"erfinv",
       sluice_kernel_sci_erfinv_f64,
       {0.5, -0.999},
       {0.47693627620446987, -2.3267537655135245}},
      {"ndtri",
       sluice_kernel_sci_ndtri_f64,
       {0.25, 9.0949470177292824e-13},
       {-0.67448975019608174, -7.0477002566644087}},
      {"dawsn",
       sluice_kernel_sci_dawsn_f64,
       {0.5, -3, 20},
       {0.4244363835020223, -0.17827103061055829, 0.025031367926403672}},
      {"fresnel_sin",
       sluice_kernel_sci_fresnel_sin_f64,
       {0.5, -2, 10},
       {0.064732432859999278, -0.34341567836369824, 0.46816997858488224}},
      {"fresnel_cos",
       sluice_kernel_sci_fresnel_cos_f64,
       {0.5, -2, 10},
       {0.49234422587144639, -0.48825340607534075, 0.49989869420551572}},
      {"expint",
       sluice_kernel_sci_expint_f64,
       {0.5, 50},
       {0.45421990486317358, 1.0585636897131691e+20}},
      {"spence",
       sluice_kernel_sci_spence_f64,
       {0, 0.25, 1.5, 10},
       {1.6449340668482264, 0.9784693929303061, -0.4484142069236462, -3.9506637782441577}},
      {"lgamma",
       sluice_kernel_sci_lgamma_f64,
       {0.5, -1.5, 20},
       {0.57236494292470009, 0.86004701537648101, 39.339884187199494}},
      {"digamma",
       sluice_kernel_sci_digamma_f64,
       {0.5, -1.25, 20},
       {-1.9635100260214235, 3.7141391202135278, 2.9705239922421491}},
      {"bessel_i0",
       sluice_kernel_sci_bessel_i0_f64,
       {0.5, -3, 30},
       {1.0634833707413235, 4.8807925858650241, 781672297823.97749}},
      {"bessel_i0e",
       sluice_kernel_sci_bessel_i0e_f64,
       {0.5, -3, 30},
       {0.64503527044915007, 0.2430003541618254, 0.073145946482237294}},
      {"bessel_k0",
       sluice_kernel_sci_bessel_k0_f64,
       {0.5, 3, 30},
       {0.92441907122766586, 0.034739504386279248, 2.1324774964630564e-14}},
      {"bessel_k0e",
       sluice_kernel_sci_bessel_k0e_f64,
       {0.5, 3, 30},
       {1.5241093857739095, 0.69776159804385178, 0.22788666561625373}},
      {"bessel_j0",
       sluice_kernel_sci_bessel_j0_f64,
       {0.5, -3, 30},
       {0.9384698072408129, -0.26005195490193344, -0.086367983581040211}},
      {"bessel_y0",
       sluice_kernel_sci_bessel_y0_f64,
       {0.5, 3, 30},
       {-0.44451873350670656, 0.37685001001279038, -0.11729573168666403}},
      {"bessel_i1",
       sluice_kernel_sci_bessel_i1_f64,
       {0.5, -3, 30},
       {0.25789430539089632, -3.9533702174026094, 768532038938.957}},
      {"bessel_i1e",
       sluice_kernel_sci_bessel_i1e_f64,
       {0.5, -3, 30},
       {0.1564208031848717, -0.19682671329730085, 0.071916330598647555}},
      {"bessel_k1",
       sluice_kernel_sci_bessel_k1_f64,
       {0.5, 3, 30},
       {1.6564411200033009, 0.040156431128194184, 2.1677320018915494e-14}},
      {"bessel_k1e",
       sluice_kernel_sci_bessel_k1e_f64,
       {0.5, 3, 30},
       {2.7310097082117857, 0.8065634801287869, 0.2316541293777118}},
      {"bessel_j1",
       sluice_kernel_sci_bessel_j1_f64,
       {0.5, -3, 30},
       {0.24226845767487389, -0.33905895852593646, -0.11875106261662294}},
      {"bessel_y1",
       sluice_kernel_sci_bessel_y1_f64,
       {0.5, 3, 30},
       {-1.4714723926702431, 0.32467442479179998, 0.084425570661747235}},
  };
  for (const OfOne &row : table) {
    SCOPED_TRACE(row.name);
    expectNear(callKernel(row.kernel, {vectorOf(row.x)}), row.expected);
  }
}

TEST(Special, ValuesOfTwoOperands) {
  const OfTwo table[] = {
      {"zeta",
       sluice_kernel_sci_zeta_f64,
       {2, 3.5, 4},
       {1, 0.25, -2.5},
       {1.6449340668482264, 128.54695896428435, 32.457979369864604}},
      {"polygamma",
       sluice_kernel_sci_polygamma_f64,
       {1, 2, 0},
       {0.5, 3, 2},
       {4.9348022005446793, -0.15411380631918857, 0.42278433509846714}},
      {"igamma",
       sluice_kernel_sci_igamma_f64,
       {0.5, 5, 30, 5e4, 1e6, 1e30},
       {2, 3, 10, 49900, 1001000, 1e30},
       {0.95449973610364159, 0.18473675547622793, 2.5099512015279078e-7, 0.32779099324086210,
        0.84134478636834029, 0.5}},
      {"igammac",
       sluice_kernel_sci_igammac_f64,
       {0.5, 5, 30, 1e6},
       {2, 3, 80, 1001000},
       {0.045500263896358414, 0.81526324452377207, 4.903229555810753e-11, 0.15865521363165971}},
      {"igamma_grad_a",
       sluice_kernel_sci_igamma_grad_a_f64,
       {0.5, 5, 1e6},
       {2, 3, 1001000},
       {-0.13561933520399724, -0.13305676070192275, -0.00024193040952413305}},
      {"random_gamma_grad",
       sluice_kernel_sci_random_gamma_grad_f64,
       {0.5, 5, 1e6, 1},
       {2, 3, 1001000, 1e308},
       {2.5118893763620682, 0.79185673480243416, 1.0005000001666001, 709.7734243070677}},
      {"zeta below 0",
       sluice_kernel_sci_zeta_f64,
       {11, 2},
       {-2.5, -100.25},
       {1.1096486555426022e-06, 19.729283325349363}},
  };
  for (const OfTwo &row : table) {
    SCOPED_TRACE(row.name);
    expectNear(callKernel(row.kernel, {vectorOf(row.lhs), vectorOf(row.rhs)}), row.expected);
  }
}

TEST(Special, ValuesOfThreeOperands) {
  expectNear(callKernel(sluice_kernel_sci_betainc_f64,
                        {vectorOf({2, 0.5, 20, 1.5, 1.5}), vectorOf({3, 0.5, 30, 1e4, 1e12}),
                         vectorOf({0.25, 0.75, 0.5, 4e-4, 4e-12})}),
             {0.26171875, 0.66666666666666667, 0.92379611401926098, 0.95402548965644578,
              0.95398829431114063});
  auto wide = callKernel(
      sluice_kernel_sci_betainc_f32,
      {tensor<float>({2, 1}, {1, 2}), tensor<float>({}, {1}), tensor<float>({2}, {0, 0.5f})});
  EXPECT_EQ(wide->shape(), (Shape{2, 2}));
  EXPECT_EQ(valuesOf<float>(*wide), (std::vector<float>{0, 0.5f, 0, 0.25f}));
}

TEST(Special, OutsideOfDomains) {
  const OfOne table[] = {
      {"erfinv", sluice_kernel_sci_erfinv_f64, {1, -1, 3, 0, kNaN}, {kInf, -kInf, kNaN, 0, kNaN}},
      {"ndtri", sluice_kernel_sci_ndtri_f64, {0, 1, -1, 0.5}, {-kInf, kInf, kNaN, 0}},
      {"dawsn", sluice_kernel_sci_dawsn_f64, {0, kInf, kNaN}, {0, 0, kNaN}},
      {"fresnel_sin", sluice_kernel_sci_fresnel_sin_f64, {0, kInf, -kInf}, {0, 0.5, -0.5}},
      {"expint", sluice_kernel_sci_expint_f64, {0, -1, kInf}, {-kInf, kNaN, kInf}},
      {"spence", sluice_kernel_sci_spence_f64, {1, -1, kNaN}, {0, kNaN, kNaN}},
      {"lgamma", sluice_kernel_sci_lgamma_f64, {0, -1, 1, kInf}, {kInf, kInf, 0, kInf}},
      {"digamma", sluice_kernel_sci_digamma_f64, {0, -1, kInf, kNaN}, {kNaN, kNaN, kInf, kNaN}},
      {"bessel_k0", sluice_kernel_sci_bessel_k0_f64, {0, -1, kInf}, {kInf, kInf, 0}},
      {"bessel_k1e", sluice_kernel_sci_bessel_k1e_f64, {0, kNaN, kInf}, {kInf, kNaN, 0}},
      {"bessel_y1", sluice_kernel_sci_bessel_y1_f64, {0, -1}, {-kInf, -kInf}},
      {"bessel_i0e", sluice_kernel_sci_bessel_i0e_f64, {0, kInf, kNaN}, {1, 0, kNaN}},
      {"bessel_i1", sluice_kernel_sci_bessel_i1_f64, {0, 1000, -1000}, {0, kInf, -kInf}},
  };
  for (const OfOne &row : table) {
    SCOPED_TRACE(row.name);
    expectNear(callKernel(row.kernel, {vectorOf(row.x)}), row.expected);
  }
  const OfTwo pairs[] = {
      {"zeta",
       sluice_kernel_sci_zeta_f64,
       {1, 0.5, 2, 3, 2.5, 2},
       {2, 2, -1, -1, -0.5, kInf},
       {kInf, kNaN, kInf, kNaN, kNaN, 0}},
      {"polygamma", sluice_kernel_sci_polygamma_f64, {0.5, -1, 0}, {2, 2, -1}, {kNaN, kNaN, kNaN}},
      {"igamma",
       sluice_kernel_sci_igamma_f64,
       {1, 0, 1, 1, kInf, 3, 1e306, 1e6},
       {0, 1, -1, kInf, 1, 1.7e308, 1e304, 2e6},
       {0, kNaN, kNaN, 1, 0, 1, 0, 1}},
      {"igammac",
       sluice_kernel_sci_igammac_f64,
       {1, 0, 1, 1, kInf, 3, 1e306, 1e6},
       {0, 1, -1, kInf, 1, 1.7e308, 1e304, 2e6},
       {1, kNaN, kNaN, 0, 1, 0, 1, 0}},
      {"igamma_grad_a",
       sluice_kernel_sci_igamma_grad_a_f64,
       {1, 0, 3, 1e6},
       {0, 1, 1.7e308, 2e6},
       {0, kNaN, 0, 0}},
      {"random_gamma_grad", sluice_kernel_sci_random_gamma_grad_f64, {1, -1}, {0, 1}, {0, kNaN}},
      {"atan2",
       sluice_kernel_sci_atan2_f64,
       {0, 0, 1, -1},
       {1, -1, 0, 0},
       {0, M_PI, M_PI / 2, -M_PI / 2}},
  };
  for (const OfTwo &row : pairs) {
    SCOPED_TRACE(row.name);
    expectNear(callKernel(row.kernel, {vectorOf(row.lhs), vectorOf(row.rhs)}), row.expected);
  }
  expectNear(callKernel(sluice_kernel_sci_betainc_f64,
                        {vectorOf({1, 1, 0, 1, 1}), vectorOf({1, 1, 1, 1, -1}),
                         vectorOf({0, 1, 0.5, 2, 0.5})}),
             {0, 1, kNaN, kNaN, kNaN});
}

// Every element comes to an end, whatever it is.
TEST(Special, ExtremeNumbersEnd) {
  const Doubles extremes = {0,       -0.0,   kInf, -kInf, kNaN, 5e-324, -5e-324,    1e-300,
                            1.7e308, -1e308, 1e10, -1e10, 1e5,  -1e5,   -1e5 - 0.5, 1};
  Doubles lhs, rhs;
  for (double a : extremes)
    for (double b : extremes) {
      lhs.push_back(a);
      rhs.push_back(b);
    }
  for (const Kernel *kernel :
       {&sluice_kernel_sci_zeta_f64, &sluice_kernel_sci_polygamma_f64,
        &sluice_kernel_sci_igamma_f64, &sluice_kernel_sci_igammac_f64,
        &sluice_kernel_sci_igamma_grad_a_f64, &sluice_kernel_sci_random_gamma_grad_f64,
        &sluice_kernel_sci_atan2_f64})
    EXPECT_TRUE(callKernel(*kernel, {vectorOf(lhs), vectorOf(rhs)}).ok());
  for (double x : {0.25, 0.5, 1.0})
    EXPECT_TRUE(callKernel(sluice_kernel_sci_betainc_f64,
                           {vectorOf(lhs), vectorOf(rhs), tensor<double>({}, {x})})
                    .ok());
}

TEST(Special, NarrowTypesAreRoundedOnce) {
  auto half = callKernel(sluice_kernel_sci_erf_f16, {tensor<Half>({1}, {Half(0.5f)})});
  EXPECT_EQ(static_cast<float>(half->data<Half>()[0]), static_cast<float>(Half(0.5204999f)));
  auto single = callKernel(sluice_kernel_sci_lgamma_f32, {tensor<float>({2}, {0.5f, 1e30f})});
  EXPECT_EQ(valuesOf<float>(*single), (std::vector<float>{0.57236494f, 6.8077554e31f}));
  EXPECT_EQ(callKernel(sluice_kernel_sci_digamma_bf16, {tensor<BFloat16>({0}, {})})->elements(), 0);
}

TEST(Special, Shapes) {
  EXPECT_EQ(inferShape(sluice_kernel_sci_erf_f32, {{2, -1}}), "[2,?]");
  EXPECT_EQ(inferShape(sluice_kernel_sci_zeta_f32, {{2, 1}, {3}}), "[2,3]");
  EXPECT_EQ(inferShape(sluice_kernel_sci_zeta_f32, {{2}, {3}}), "Incompatible shapes: [2] vs. [3]");
  EXPECT_EQ(inferShape(sluice_kernel_sci_betainc_f32, {{2, 1}, {}, {1, 3}}), "[2,3]");
}

} // namespace
} // namespace sluice::rt
