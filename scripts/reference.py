#!/usr/bin/env python3
"""Reference values for every statistic, made by SciPy, statsmodels and mpmath.

Writes data/reference/*.csv below the repository. Every row carries the relative tolerance to which
our own code has to agree; an empty cell means that the statistic is unknown. Lists stand in one
cell, separated by blanks.

    pip install numpy scipy statsmodels mpmath && python3 scripts/reference.py
"""

import csv
import math
import warnings
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy
import statsmodels.api
from scipy import special, stats
from statsmodels.stats.multitest import multipletests

mpmath.mp.dps = 50
FOLDER = Path(__file__).resolve().parent.parent / "data" / "reference"
RANDOM = numpy.random.default_rng(1979)
CONFIDENCES = (0.5, 0.9, 0.95, 0.999)
BIG = 2**64 - 1


def text(value):
    """A cell: all digits of a float, nothing for an unknown."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return " ".join(map(text, value))
    if isinstance(value, (bool, numpy.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (str, int, numpy.integer)):
        return str(value)
    return repr(float(value))


def write(name, header, rows):
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / f"{name}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows([text(cell) for cell in row] for row in rows)


def integers(low, high, size):
    return [int(value) for value in RANDOM.integers(low, high, size)]


SAMPLES = {
    "one": [7],
    "two": [3, 8],
    "two equal": [4, 4],
    "zeros": [0] * 5,
    "zeros and one": [0, 0, 0, 1],
    "ties": [2, 2, 2, 3, 3, 5, 5, 5, 5, 9],
    "huge equal": [BIG] * 6,
    "huge": [BIG, BIG - 1, BIG - 1, BIG - 5, BIG],
    "far apart": [0, BIG, 0, 1],
    "nearly equal": [10**15 + k for k in (4, 7, 13, 16)],
    "symmetric": [1, 2, 3, 4, 5, 6, 7],
    "small": integers(0, 40, 25),
    "wide": integers(10**6, 10**12, 60),
    "skewed": [int(x) for x in RANDOM.gamma(2.0, 150.0, 200)],
}


def t_quantile(freedom, confidence):
    return float(stats.t.isf((1 - confidence) / 2, freedom))


def central(values):
    """Mean and sums of squared and cubed deviations, as fractions."""
    mean = Fraction(sum(values), len(values))
    return mean, sum((x - mean) ** 2 for x in values), sum((x - mean) ** 3 for x in values)


def real(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def moments():
    for name, values in SAMPLES.items():
        count = len(values)
        mean, squares, cubes = central(values)
        variance = error = skewness = None
        if count > 1:
            variance = real(squares / (count - 1))
            error = mpmath.sqrt(variance / count)
        if squares:
            skewness = real(cubes / count) / real(squares / count) ** mpmath.mpf(1.5)
        for confidence in CONFIDENCES:
            low = high = None
            if error is not None:
                half = t_quantile(count - 1, confidence) * error
                low, high = real(mean) - half, real(mean) + half
            yield name, values, confidence, real(mean), variance, error, low, high, skewness, 1e-12


def students():
    for freedom in (1, 2, 3, 4.5, 9, 29, 99, 999, 1000, 9999, 10**6 - 1, 10**7, 10**9):
        for confidence in (0.1, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999):
            yield freedom, confidence, t_quantile(freedom, confidence), 1e-11


def sequential():
    """Robbins' mixture by quadrature: runs with mean 0 and variance 1 that sum to S after r of them have
    the likelihood ratio of a mean drawn from N(0, rho^2), which ever reaches 1/alpha with probability
    alpha at most. The closed forms of theorem 2.2 are not used."""
    log = 2 * mpmath.log(mpmath.mpf("0.05"))
    rho = mpmath.sqrt((mpmath.log(1 - log) - log) / 1000)

    def mixture(z, runs):
        drift, spread = rho * z * mpmath.sqrt(runs), runs * rho**2
        # The integrand is a bell about `peak`, and 30 widths on either side are all of it.
        peak, width = drift / (spread + 1), 1 / mpmath.sqrt(spread + 1)
        ends = [peak + k * width for k in (-30, -3, 0, 3, 30)]
        ratio = lambda u: mpmath.exp(drift * u - spread * u**2 / 2)
        return mpmath.quad(lambda u: ratio(u) * mpmath.npdf(u), ends)

    for runs in (1, 2, 30, 256, 1000, 4096, 10**5, 10**7, 10**12):
        for confidence, z in zip(CONFIDENCES, (0, -2, 4.5, 30)):
            excess = lambda z: mpmath.log(mixture(z, runs) * (1 - mpmath.mpf(confidence)))
            quantile = abs(mpmath.findroot(excess, (2, 4)))
            p = min(mpmath.mpf(1), 1 / mixture(mpmath.mpf(z), runs))
            yield runs, confidence, quantile, z, p, 1e-12


def quantiles():
    for name, values in SAMPLES.items():
        ordered = sorted(values)
        for p in (0, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.999, 1):
            # numpy.quantile rounds to floats before it interpolates; fractions do not.
            h = Fraction(p) * (len(values) - 1)
            low = math.floor(h)
            high = min(low + 1, len(values) - 1)
            value = ordered[low] + (h - low) * (ordered[high] - ordered[low])
            assert math.isclose(value, numpy.quantile(numpy.array(values, float), p), rel_tol=1e-12)
            yield name, ordered, p, real(Fraction(value)), 1e-13


def quantile_intervals():
    for count in (1, 5, 6, 10, 37, 100, 1000, 10**5, 10**6, 10**7):
        for p in (0.001, 0.05, 0.25, 0.5, 0.9, 0.99):
            for confidence in (0.5, 0.95, 0.999):
                tail = (1 - confidence) / 2
                low = int(stats.binom.ppf(tail, count, p))
                high = int(stats.binom.isf(tail, count, p)) + 1
                if count <= 1000:
                    check_ranks(count, p, confidence, low, high)
                known = low >= 1 and high <= count
                yield count, p, confidence, low if known else None, high if known else None


def check_ranks(count, p, confidence, low, high):
    """SciPy's own interval on the sample 1..count is the interval of the ranks."""
    test = stats.quantile_test(numpy.arange(1, count + 1), q=0, p=p)
    got = test.confidence_interval(confidence)
    assert math.isnan(got.low) == (low < 1) and (low < 1 or got.low == low)
    assert math.isnan(got.high) == (high > count) and (high > count or got.high == high)


def p_values():
    for z in (0, 1e-8, 0.01, 0.5, 1, 1.96, -1.96, 3, 5, 8, -20, 37):
        yield "normal", z, None, mpmath.erfc(abs(mpmath.mpf(z)) / mpmath.sqrt(2)), 1e-12
    for freedom in (1, 2, 3, 10, 99, 500):
        for factor in (0, 0.01, 0.5, 1, 1.3, 2, 4):
            x = factor * freedom
            p = mpmath.gammainc(mpmath.mpf(freedom) / 2, mpmath.mpf(x) / 2, regularized=True)
            yield "chi-square", x, freedom, p, 1e-11
    for freedom in (1, 2, 4.5, 9, 99, 999, 1000, 9999, 10**6, 10**7, 10**8):
        for t in (0, 0.1, -1, 2, 5, 10, 30):
            yield "student", t, freedom, 2 * stats.t.sf(abs(t), freedom), 1e-10 if t < 30 else 1e-8


def holm():
    families = [
        [0.5],
        [0.01, 0.04, 0.03, 0.005],
        [0.02, 0.02, 0.02],
        [0.0, 1.0, 0.5, 0.25, 1e-30],
        [float(p) for p in RANDOM.uniform(0, 1, 40) ** 4],
    ]
    for family in families:
        yield family, list(multipletests(family, method="holm")[1]), 1e-14


def pooled(observed, expected):
    pools, open_pool = [], (0.0, 0.0)
    for seen, due in zip(observed, expected):
        open_pool = (open_pool[0] + seen, open_pool[1] + due)
        if open_pool[1] >= 5:
            pools.append(open_pool)
            open_pool = (0.0, 0.0)
    if pools:
        pools[-1] = (pools[-1][0] + open_pool[0], pools[-1][1] + open_pool[1])
    return pools


def goodness_of_fit():
    poisson = stats.poisson(3.0)
    law = [float(poisson.pmf(k)) for k in range(15)]
    law.append(1 - sum(law))
    cases = [
        ([10, 20, 30], [20.0, 20.0, 20.0]),
        ([0, 0, 60], [20.0, 20.0, 20.0]),
        ([20, 20, 20], [20.0, 20.0, 20.0]),
        ([1, 0, 3, 2, 1, 3], [1.0, 1.0, 3.0, 3.0, 1.0, 1.0]),
        ([1, 2], [1.5, 1.5]),
    ]
    for runs, shift in ((50, 0), (1000, 0), (1000, 1), (100000, 0)):
        values = [min(int(x) + shift, 15) for x in RANDOM.poisson(3.0, runs)]
        cases.append(([values.count(k) for k in range(16)], [runs * p for p in law]))
    for observed, expected in cases:
        pools = pooled(observed, expected)
        if len(pools) < 2:
            yield observed, expected, None, None, None, 1e-10
            continue
        test = stats.chisquare(*map(list, zip(*pools)))
        yield observed, expected, test.statistic, len(pools) - 1, test.pvalue, 1e-10


def signed_rank():
    cases = [
        [],
        [0, 0],
        [5],
        [-5, 3],
        [1, 2, 3, 4, 5, 6],
        [1, -2, 3, -4, 5, 6, 0, 0],
        [1, 1, -1, 2, 2],
        [7] * 12,
        [-(2**64) + 1, 2**63, 17],
        integers(-(10**9), 2 * 10**9, 25),
        integers(-(10**9), 2 * 10**9, 26),
        integers(-5, 8, 40),
        integers(-100, 110, 1000),
    ]
    for differences in cases:
        pairs = [d for d in differences if d]
        if not pairs:
            yield differences, None, None, None, None, None, None, 1e-10
            continue
        ranks = stats.rankdata([float(abs(d)) for d in pairs])
        positive = sum(rank for rank, d in zip(ranks, pairs) if d > 0)
        exact = len(set(map(abs, pairs))) == len(pairs) <= 25
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            p = stats.wilcoxon(
                [float(d) for d in pairs],
                zero_method="wilcox",
                correction=False,
                method="exact" if exact else "asymptotic",
            ).pvalue
        zeros = len(differences) - len(pairs)
        negative = sum(ranks) - positive
        yield differences, len(pairs), zeros, positive, negative, exact, p, 1e-10


def fieller(a, b, variances, t):
    """The roots of (a - rb)^2 = t^2 (va - 2rc + r^2 vb), or nothing if they do not bound r."""
    va, vb, c = variances
    t = mpmath.mpf(t)
    lead = b * b - t * t * vb
    if lead <= 0:
        return None, None
    roots = mpmath.polyroots([lead, -2 * (a * b - t * t * c), a * a - t * t * va], maxsteps=500)
    low, high = sorted(mpmath.re(root) for root in roots)
    return low, high


def welch():
    samples = [
        (SAMPLES["small"], SAMPLES["skewed"]),
        (SAMPLES["ties"], SAMPLES["symmetric"]),
        (SAMPLES["two"], SAMPLES["ties"]),
        (SAMPLES["two equal"], SAMPLES["ties"]),
        (SAMPLES["zeros and one"], SAMPLES["small"]),
        (SAMPLES["small"], SAMPLES["zeros and one"]),
        (SAMPLES["one"], SAMPLES["ties"]),
        (SAMPLES["zeros"], SAMPLES["two equal"]),
        (integers(500, 900, 300), integers(450, 1000, 120)),
    ]
    for first, second in samples:
        for confidence in (0.9, 0.95, 0.999):
            constant = len(set(first)) == len(set(second)) == 1
            if constant or min(len(first), len(second)) < 2:
                yield first, second, confidence, *[None] * 9, 1e-10
                continue
            test = stats.ttest_ind(first, second, equal_var=False)
            interval = test.confidence_interval(confidence)
            a, b = (real(central(values)[0]) for values in (first, second))
            va, vb = (real(central(v)[1] / (len(v) - 1) / len(v)) for v in (first, second))
            t = t_quantile(test.df, confidence)
            low, high = fieller(a, b, (va, vb, mpmath.mpf(0)), t)
            yield (first, second, confidence, a - b, test.df, test.statistic, test.pvalue,
                   interval.low, interval.high, a / b, low, high, 1e-10)


def paired():
    base = integers(300, 900, 80)
    cases = [
        ([5], [4]),
        ([5, 6], [4, 7]),
        ([3, 3, 3], [5, 5, 5]),
        ([0, 0, 1, 0], [0, 2, 0, 1]),
        ([BIG, BIG - 3, BIG - 9], [BIG - 1, BIG - 2, BIG - 3]),
        (base, [x + int(d) for x, d in zip(base, RANDOM.integers(-20, 60, 80))]),
        (base, [3 * x + int(d) for x, d in zip(base, RANDOM.integers(-5, 6, 80))]),
        (integers(300, 900, 80), base),
    ]
    for first, second in cases:
        count = len(first)
        differences = [a - b for a, b in zip(first, second)]
        mean, squares, _ = central(differences)
        for confidence in (0.9, 0.95, 0.999):
            cells = [None] * 6
            (a, sa, _), (b, sb, _) = central(first), central(second)
            if count > 1:
                scale = count * (count - 1)
                error = mpmath.sqrt(real(squares) / scale)
                t = t_quantile(count - 1, confidence)
                cross = sum((x - a) * (y - b) for x, y in zip(first, second))
                va, vb, c = (real(s / scale) for s in (sa, sb, cross))
                low, high = fieller(real(a), real(b), (va, vb, c), t)
                ratio = real(a / b)
                delta = mpmath.sqrt(va - 2 * ratio * c + ratio**2 * vb) / real(b)
                p = None
                if squares:
                    p = 2 * stats.t.sf(float(abs(real(mean)) / error), count - 1)
                    if max(first + second) < 2**50:
                        assert math.isclose(p, stats.ttest_rel(first, second).pvalue, rel_tol=1e-9)
                half = t * error
                cells = [error, (real(mean) - half, real(mean) + half), p, delta, low, high]
            yield (first, second, confidence, real(mean), *cells[:3], real(a / b), *cells[3:], 1e-10)


TERMS = {
    "1": lambda n: 1.0,
    "n": lambda n: n,
    "n log2 n": lambda n: n * math.log2(n),
    "n H_n": lambda n: n * float(special.digamma(n + 1) - special.digamma(1)),
    "n^1.1": lambda n: n**1.1,
    "n^1.5": lambda n: n**1.5,
    "n²": lambda n: n * n,
}
MODELS = ["n", "n + 1", "n H_n", "n H_n + n", "n log2 n + n", "n^1.1 + n", "n^1.5", "n^1.5 + n",
          "n²", "n² + n"]


def point_sets():
    sizes = [2**k for k in range(4, 15)]
    harmonic = TERMS["n H_n"]
    error = [0.6 * n / math.sqrt(1000) for n in sizes]
    noisy = [harmonic(n) + e * RANDOM.normal() for n, e in zip(sizes, error)]
    yield "chang-roberts", sizes, noisy, error
    yield "chang-roberts without errors", sizes, noisy, None
    # Steps at powers of two: no model holds, so that standard errors are scaled.
    stairs = [3.144 * n * math.ceil(math.log2(n)) for n in sizes + [1000, 3000, 5000]]
    yield "stairs", sizes + [1000, 3000, 5000], stairs, [0.001 * y for y in stairs]
    few = [1, 2, 3, 5, 8]
    yield "few and a ring of one", few, [1.0, 3.1, 5.4, 11.5, 21.0], [0.01, 0.1, 0.2, 0.2, 0.4]
    yield "square", sizes, [n * n / 3 * (1 + 0.01 * (-1) ** k) for k, n in enumerate(sizes)], None


def fits():
    for name, sizes, means, errors in point_sets():
        units = numpy.array(errors if errors else means)
        count = len(sizes)
        results = []
        for model in MODELS:
            terms = model.split(" + ")
            design = numpy.array([[TERMS[term](n) for term in terms] for n in sizes])
            wls = statsmodels.api.WLS(numpy.array(means), design, weights=units**-2.0)
            result = wls.fit(method="qr")
            chi_square = float(numpy.sum(((means - result.fittedvalues) / units) ** 2))
            freedom = count - len(terms)
            lack = float(stats.chi2.sf(chi_square, freedom)) if errors else None
            if errors and lack >= 0.05:
                result = wls.fit(method="qr", cov_type="fixed scale", cov_kwds={"scale": 1.0}, use_t=False)
            # Twice the log-likelihood less what all models share.
            likelihood = 2 * result.llf + count * (math.log(2 * math.pi) + 1) - numpy.sum(numpy.log(units**-2.0))
            results.append((model, terms, result, chi_square, freedom, lack, likelihood))
        inflation = max(1.0, min(chi / freedom for _, _, _, chi, freedom, _, _ in results))
        criteria = []
        for _, terms, _, chi_square, _, _, likelihood in results:
            k = len(terms) + (0 if errors else 1)
            penalty = 2 * k + 2 * k * (k + 1) / (count - k - 1)
            criteria.append(chi_square / inflation + penalty if errors else penalty - likelihood)
        weights = numpy.exp((min(criteria) - numpy.array(criteria)) / 2)
        weights /= sum(weights)
        for (model, _, result, chi, freedom, lack, _), criterion, weight in zip(results, criteria, weights):
            interval = result.conf_int(0.05)
            yield (name, sizes, means, errors, model, list(result.params), list(result.bse),
                   list(interval[:, 0]), list(interval[:, 1]), chi, freedom, lack,
                   criterion - min(criteria), weight, 1e-8)


def ring_counts(n):
    """Coefficients of (n-1)! G_(n-1)/z^(n-1) by Kronecker substitution in one large integer."""
    width = math.factorial(n - 1).bit_length()
    sequences = [1]
    for m in range(1, n):
        sequences.append(sum(
            math.comb(m - 1, j - 1) * (sequences[j - 1] * sequences[m - j]) << width * (m - j)
            for j in range(1, m + 1)
        ))
    whole, counts = sequences[-1], []
    while whole:
        counts.append(whole & ((1 << width) - 1))
        whole >>= width
    return counts


def distribution():
    for n in (1, 2, 3, 9, 20, 35, 36, 60):
        counts = ring_counts(n)
        rings = math.factorial(n - 1)
        assert sum(counts) == rings
        step = max(1, len(counts) // 60)
        for place in range(0, len(counts), step):
            yield n, 2 * n - 1 + place, real(Fraction(counts[place], rings)), 2e-16 if n > 35 else 0


def distribution_quantiles():
    for n in (9, 35, 36, 60):
        counts = ring_counts(n)
        rings = math.factorial(n - 1)
        for p in (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 0.999999):
            total, place = 0, -1
            while total < Fraction(p) * rings:
                place += 1
                total += counts[place]
            yield n, p, 2 * n - 1 + place


def main():
    write("student", ["degrees_of_freedom", "confidence", "quantile", "tolerance"], students())
    write("moments", ["case", "sample", "confidence", "mean", "variance", "standard_error", "low",
                      "high", "skewness", "tolerance"], moments())
    write("sequential", ["runs", "confidence", "quantile", "z", "p_value", "tolerance"], sequential())
    write("quantiles", ["case", "sample", "p", "quantile", "tolerance"], quantiles())
    write("quantile_intervals", ["count", "p", "confidence", "low_rank", "high_rank"],
          quantile_intervals())
    write("p_values", ["law", "statistic", "degrees_of_freedom", "p_value", "tolerance"], p_values())
    write("holm", ["p_values", "adjusted", "tolerance"], holm())
    write("goodness_of_fit", ["observed", "expected", "statistic", "degrees_of_freedom", "p_value",
                              "tolerance"], goodness_of_fit())
    write("signed_rank", ["differences", "pairs", "zeros", "positive_ranks", "negative_ranks",
                          "exact", "p_value", "tolerance"], signed_rank())
    write("welch", ["first", "second", "confidence", "difference", "degrees_of_freedom", "t",
                    "p_value", "low", "high", "ratio", "ratio_low", "ratio_high", "tolerance"], welch())
    write("paired", ["first", "second", "confidence", "difference", "standard_error", "interval",
                     "p_value", "ratio", "ratio_standard_error", "ratio_low", "ratio_high",
                     "tolerance"], paired())
    write("fits", ["case", "n", "mean", "standard_error", "model", "coefficients",
                   "coefficient_errors", "low", "high", "chi_square", "degrees_of_freedom",
                   "lack_of_fit", "delta", "weight", "tolerance"], fits())
    write("distribution", ["n", "messages", "probability", "absolute_tolerance"], distribution())
    write("distribution_quantiles", ["n", "p", "quantile"], distribution_quantiles())


if __name__ == "__main__":
    main()
