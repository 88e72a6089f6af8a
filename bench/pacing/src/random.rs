//! Random numbers that are the same on every machine: xoshiro256++, seeded by splitmix64.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random([u64; 4]);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut state = seed;
        Random(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// From 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly distributed by its logarithm.
    pub(crate) fn log_between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// From 0 to below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    pub(crate) fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }

    /// Poisson; a rounded normal above a mean of 16.
    pub(crate) fn poisson(&mut self, mean: f64) -> u64 {
        if mean >= 16.0 {
            return (mean + mean.sqrt() * self.normal()).round().max(0.0) as u64;
        }
        // The chance of 0 is e^-mean, which is over 1 - mean: most small means need no exponential.
        let above = self.unit();
        if above >= mean {
            return 0;
        }
        let (mut chance, mut count) = ((-mean).exp(), 0);
        let mut left = 1.0 - above;
        while left >= chance && count < 100 {
            left -= chance;
            count += 1;
            chance *= mean / count as f64;
        }
        count
    }

    /// Binomial; a rounded normal for many.
    pub(crate) fn binomial(&mut self, of: u64, chance: f64) -> u64 {
        let mean = of as f64 * chance;
        if mean >= 16.0 && of as f64 - mean >= 16.0 {
            let drawn = mean + (mean * (1.0 - chance)).sqrt() * self.normal();
            return (drawn.round().max(0.0) as u64).min(of);
        }
        if of > 64 && chance < 0.25 {
            return self.poisson(mean).min(of);
        }
        (0..of).filter(|_| self.unit() < chance).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_their_mean_and_variance() {
        let mut random = Random::new(7);
        for (of, chance) in [(3, 0.5), (200, 0.01), (1000, 0.3), (40, 0.9)] {
            let mean = of as f64 * chance;
            let (mut sum, mut squares, mut poisson) = (0.0, 0.0, 0.0);
            for _ in 0..40_000 {
                let drawn = random.binomial(of, chance) as f64;
                sum += drawn;
                squares += (drawn - mean).powi(2);
                poisson += random.poisson(mean) as f64;
            }
            assert!((sum / 40_000.0 / mean - 1.0).abs() < 0.02, "{of} {chance}");
            assert!((poisson / 40_000.0 / mean - 1.0).abs() < 0.02, "{of} {chance}");
            assert!((squares / 40_000.0 / (mean * (1.0 - chance)) - 1.0).abs() < 0.06, "{of} {chance}");
        }
    }
}
