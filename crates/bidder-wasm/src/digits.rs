//! Integers as text, for answers and for the keys of the index.

/// An integer's decimal digits, without asking for memory.
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

    /// As text.
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// As the bytes of a text.
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
        fn digits_are_the_numbers(number in prop_oneof![any::<i64>(), -12_i64..12]) {
            let digits = Digits::of(number);
            prop_assert_eq!(digits.as_str(), number.to_string());
        }
    }
}
