// Where a value lies on a slider. Sliders count from 0 to 1000. Wide ranges are spread by
// their logarithm, so that 1, 10 and 1000 of 65536 are all within reach of a hand.

const places = 1000

// scaleOf returns how the values of a parameter lie on a slider: at(value) is a place,
// value(place) a value that the parameter may have, step(value, n) the value n steps away, and
// lo and hi are its ends.
function scaleOf(p) {
  const whole = p.type === "int"
  const lo = p.min ?? 0
  const hi = p.max ?? Math.max(4 * Math.abs(p.default), lo + 1)
  const range = hi - lo
  const step = p.step > 0 ? p.step : whole ? 1 : range / 200
  const clamp = v => Math.min(hi, Math.max(lo, v))
  // Rounded to what can be written in a few digits: 0.30000000000000004 is no value.
  const tidy = v => whole ? Math.round(v) : Number(v.toPrecision(6))
  const wide = whole ? range > 300 : lo > 0 && hi / lo > 1e4
  if (!wide) {
    return {
      at: v => range > 0 ? places * (clamp(v) - lo) / range : 0,
      value: x => clamp(tidy(lo + step * Math.round(range * x / places / step))),
      step: (v, n) => clamp(tidy(v + n * step)), lo, hi,
    }
  }
  if (!whole) { // positive, over orders of magnitude
    const span = Math.log(hi / lo)
    return {
      at: v => places * Math.log(clamp(v) / lo) / span,
      value: x => clamp(Number((lo * Math.exp(span * x / places)).toPrecision(2))),
      step: (v, n) => clamp(Number((v * 1.1 ** n).toPrecision(2))), lo, hi,
    }
  }
  const span = Math.log1p(range)
  return {
    at: v => places * Math.log1p(clamp(v) - lo) / span,
    value: x => {
      const v = lo + Math.expm1(span * x / places)
      return clamp(Math.abs(v) < 20 ? Math.round(v) : Number(v.toPrecision(2)))
    },
    step: (v, n) => clamp(v + n * step), lo, hi,
  }
}
