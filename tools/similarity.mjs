// How alike two pictures are.
/**
 * Of two square pictures (RGBA, one byte per channel, `side` pixels wide): mean SSIM of luma and mean difference of channels
 * over the windows of 8 × 8 pixels in which either is not only background; and how many windows those are.
 */
export function similarity(a, b, side, background) {
  const luma = (data, i) => 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
  const isBackground = (data, i) => [0, 1, 2].every((channel) => Math.abs(data[i + channel] - background[channel]) < 3);
  let sum = 0, windows = 0, difference = 0;
  for (let top = 0; top + 8 <= side; top += 4) {
    for (let left = 0; left + 8 <= side; left += 4) {
      let empty = true, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0, off = 0;
      for (let y = top; y < top + 8; y += 1) {
        for (let x = left; x < left + 8; x += 1) {
          const i = (y * side + x) * 4;
          empty &&= isBackground(a, i) && isBackground(b, i);
          const p = luma(a, i), q = luma(b, i);
          ma += p; mb += q; aa += p * p; bb += q * q; ab += p * q;
          off += (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2])) / 3;
        }
      }
      if (empty) continue;
      ma /= 64; mb /= 64;
      const va = aa / 64 - ma * ma, vb = bb / 64 - mb * mb, cov = ab / 64 - ma * mb;
      sum += ((2 * ma * mb + 6.5025) * (2 * cov + 58.5225)) / ((ma * ma + mb * mb + 6.5025) * (va + vb + 58.5225));
      difference += off / 64;
      windows += 1;
    }
  }
  return { ssim: windows ? sum / windows : 1, difference: windows ? difference / windows : 0, windows };
}
