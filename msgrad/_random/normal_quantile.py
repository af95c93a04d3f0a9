"""Quantile of the normal distribution: rational approximations, in float64.

The coefficients are those of Boost's ``erf_inv`` (John Maddock, Boost Software License 1.0), which MindSpore has too.
"""

import numpy as np

ROOT_TWO = float(np.float32(1.4142135))

_SMALLEST = float(np.nextafter(np.float32(0), np.float32(1)))
_LARGEST = float(np.nextafter(np.float32(2), np.float32(0)))

_CENTRE = (  # of p, where p <= 1/2
    0.0891314744949340820313,
    (-0.000508781949658280665617, -0.00836874819741736770379, 0.0334806625409744615033, -0.0126926147662974029034,
     -0.0365637971411762664006, 0.0219878681111168899165, 0.00822687874676915743155, -0.00538772965071242932965),
    (1.0, -0.970005043303290640362, -1.56574558234175846809, 1.56221558398423026363, 0.662328840472002992063,
     -0.71228902341542847553, -0.0527396382340099713954, 0.0795283687341571680018, -0.00233393759374190016776,
     0.000886216390456424707504),
)  # fmt: skip
_SHOULDER = (  # of q - 1/4, where 1/4 <= q
    2.249481201171875,
    (-0.202433508355938759655, 0.105264680699391713268, 8.37050328343119927838, 17.6447298408374015486,
     -18.8510648058714251895, -44.6382324441786960818, 17.445385985570866523, 21.1294655448340526258,
     -3.67192254707729348546),
    (1.0, 6.24264124854247537712, 3.9713437953343869095, -28.6608180499800029974, -20.1432634680485188801,
     48.5609213108739935468, 10.8268667355460159008, -22.6436933413139721736, 1.72114765761200282724),
)  # fmt: skip
_TAILS = (  # of x - the third number, where x = sqrt(-log q) is below the first
    (3.0, 0.807220458984375, 1.125,
     (-0.131102781679951906451, -0.163794047193317060787, 0.117030156341995252019, 0.387079738972604337464,
      0.337785538912035898924, 0.142869534408157156766, 0.0290157910005329060432, 0.00214558995388805277169,
      -0.679465575181126350155e-6, 0.285225331782217055858e-7, -0.681149956853776992068e-9),
     (1.0, 3.46625407242567245975, 5.38168345707006855425, 4.77846592945843778382, 2.59301921623620271374,
      0.848854343457902036425, 0.152264338295331783612, 0.01105924229346489121)),
    (6.0, 0.93995571136474609375, 3.0,
     (-0.0350353787183177984712, -0.00222426529213447927281, 0.0185573306514231072324, 0.00950804701325919603619,
      0.00187123492819559223345, 0.000157544617424960554631, 0.460469890584317994083e-5, -0.230404776911882601748e-9,
      0.266339227425782031962e-11),
     (1.0, 1.3653349817554063097, 0.762059164553623404043, 0.220091105764131249824, 0.0341589143670947727934,
      0.00263861676657015992959, 0.764675292302794483503e-4)),
    (18.0, 0.98362827301025390625, 6.0,
     (-0.0167431005076633737133, -0.00112951438745580278863, 0.00105628862152492910091, 0.000209386317487588078668,
      0.149624783758342370182e-4, 0.449696789927706453732e-6, 0.462596163522878599135e-8, -0.281128735628831791805e-13,
      0.99055709973310326855e-16),
     (1.0, 0.591429344886417493481, 0.138151865749083321638, 0.0160746087093676504695, 0.000964011807005165528527,
      0.275335474764726041141e-4, 0.282243172016108031869e-6)),
)  # fmt: skip


def normal_quantile(probability):
    """Inverse of the normal distribution function, of a float64 array."""
    z = 2 * probability
    z = np.where(z <= 0, _SMALLEST, np.where(z >= 2, _LARGEST, z))
    is_above = z > 1
    q = np.where(is_above, 2 - z, z)  # 1 - p, where p = erf(x) with x >= 0
    p = 1 - q
    x = np.empty_like(q)

    at = p <= 0.5
    base, numerator, denominator = _CENTRE
    part = p[at]
    scale = part * (part + 10)
    x[at] = scale * base + scale * _ratio(numerator, denominator, part)

    at = ~at & (q >= 0.25)
    base, numerator, denominator = _SHOULDER
    part = q[at]
    x[at] = np.sqrt(-2 * np.log(part)) / (base + _ratio(numerator, denominator, part - 0.25))

    at = q < 0.25
    root = np.sqrt(-np.log(q[at]))
    far = np.empty_like(root)
    beyond = 0.0
    for bound, base, shift, numerator, denominator in _TAILS:
        inside = (root >= beyond) & (root < bound)
        part = root[inside]
        far[inside] = base * part + _ratio(numerator, denominator, part - shift) * part
        beyond = bound
    x[at] = far
    return np.where(is_above, x, -x) * ROOT_TWO


def _ratio(numerator, denominator, x):
    return _polynomial(numerator, x) / _polynomial(denominator, x)


def _polynomial(coefficients, x):
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total *= x
        total += coefficient
    return total
