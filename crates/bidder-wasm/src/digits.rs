//! Integers as decimal text, for answers and for index keys.

/// The decimal digits of an integer, without an allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits {
    bytes: [u8; 20],
    from: usize,
}

impl Digits {
    /// The digits of a number.
    #[inline]
    pub(crate) fn of(number: i64) -> Digits {
        let (mut bytes, mut from, mut rest) = ([b'0'; 20], 20, number.unsigned_abs());
        for (place, byte) in bytes.iter_mut().enumerate().rev() {
            if rest == 0 && place < 19 {
                break;
            }
            *byte = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
            from = place;
        }
        if let Some(sign) = bytes.get_mut(from.wrapping_sub(1)).filter(|_| number < 0) {
            *sign = b'-';
            from -= 1;
        }
        Digits { bytes, from }
    }

    /// Appends the digits.
    #[inline]
    pub(crate) fn push_to(&self, out: &mut String) {
        for digit in self.as_bytes() {
            out.push(char::from(*digit));
        }
    }

    /// The digits as ASCII.
    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.from..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_equal_the_standard_formatting(number in prop_oneof![any::<i64>(), -12_i64..12]) {
            let mut out = String::new();
            Digits::of(number).push_to(&mut out);
            prop_assert_eq!(out, number.to_string());
        }
    }
}
