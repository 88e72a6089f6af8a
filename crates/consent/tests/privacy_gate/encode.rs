//! Writes TCF and GPP strings by the tables of the specifications.

pub(crate) const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bits in the order in which a string holds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits(pub(crate) Vec<bool>);

impl Bits {
    pub(crate) fn push(&mut self, value: u64, count: u32) {
        self.0.extend((0..count).rev().map(|shift| value >> shift & 1 == 1));
    }

    /// The encoding algorithm of the GPP specification. `value` is at least 1.
    pub(crate) fn fibonacci(&mut self, value: u32) {
        let mut numbers = vec![1, 2];
        while numbers[numbers.len() - 1] <= value {
            numbers.push(numbers[numbers.len() - 1] + numbers[numbers.len() - 2]);
        }
        let mut rest = value;
        let mut code = vec![false; numbers.len()];
        for (position, number) in numbers.iter().enumerate().rev() {
            if *number <= rest {
                rest -= number;
                code[position] = true;
            }
        }
        let end = code.iter().rposition(|&bit| bit).unwrap();
        self.0.extend(&code[..=end]);
        self.0.push(true);
    }

    /// Web-safe base64, padded with zeros on the right to a multiple of 6.
    pub(crate) fn text(&self) -> String {
        let sextet = |bits: &[bool]| (0..6).fold(0, |sum, at| sum << 1 | usize::from(bits.get(at) == Some(&true)));
        self.0.chunks(6).map(|bits| char::from(ALPHABET[sextet(bits)])).collect()
    }
}

/// Ranges of ids, first and last; a single id where they are equal.
pub(crate) type Ranges = Vec<(u16, u16)>;

/// A list of vendors in one of its two encodings.
#[derive(Debug, Clone)]
pub(crate) enum Vendors {
    Field(Vec<bool>),
    Ranges { max: u16, ranges: Ranges },
}

impl Vendors {
    pub(crate) fn field(ids: &[u16]) -> Self {
        let max = ids.iter().copied().max().unwrap_or(0);
        Self::Field((1..=max).map(|id| ids.contains(&id)).collect())
    }
}

/// A TCF string. In the masks, bit 0 is purpose or special feature 1.
#[derive(Debug, Clone)]
pub(crate) struct Tcf {
    pub(crate) version: u8,
    /// In days since 1970.
    pub(crate) created: u16,
    pub(crate) policy: u8,
    pub(crate) is_service_specific: bool,
    pub(crate) special_features: u32,
    pub(crate) consent: u32,
    pub(crate) interest: u32,
    pub(crate) vendor_consent: Vendors,
    pub(crate) vendor_interest: Vendors,
    /// For each restriction: purpose, kind, vendors.
    pub(crate) restrictions: Vec<(u8, u8, Ranges)>,
    /// The vendors of the segment Disclosed Vendors; `None`: no such segment.
    pub(crate) disclosed: Option<Vendors>,
}

impl Tcf {
    pub(crate) fn text(&self) -> String {
        let disclosed =
            self.disclosed.as_ref().map_or_else(String::new, |vendors| ".".to_owned() + &segment(1, vendors));
        self.core() + &disclosed
    }

    pub(crate) fn core(&self) -> String {
        let mut bits = Bits::default();
        bits.push(self.version.into(), 6);
        let created = u64::from(self.created) * 24 * 60 * 60 * 10;
        for (value, count) in [(created, 36), (created + 1, 36), (31, 12), (640, 12), (1, 6)] {
            bits.push(value, count);
        }
        for (value, count) in [(4, 6), (13, 6), (126, 12), (self.policy.into(), 6)] {
            bits.push(value, count);
        }
        bits.push(self.is_service_specific.into(), 1);
        bits.push(0, 1);
        for (mask, count) in [(self.special_features, 12), (self.consent, 24), (self.interest, 24)] {
            bits.0.extend((0..count).map(|bit| mask >> bit & 1 == 1));
        }
        for (value, count) in [(0, 1), (3, 6), (4, 6)] {
            bits.push(value, count);
        }
        push_vendors(&mut bits, &self.vendor_consent);
        push_vendors(&mut bits, &self.vendor_interest);
        bits.push(self.restrictions.len() as u64, 12);
        for (purpose, kind, ranges) in &self.restrictions {
            bits.push((*purpose).into(), 6);
            bits.push((*kind).into(), 2);
            push_ranges(&mut bits, ranges);
        }
        bits.text()
    }
}

/// A segment of this type with a list of vendors.
pub(crate) fn segment(kind: u64, vendors: &Vendors) -> String {
    let mut bits = Bits::default();
    bits.push(kind, 3);
    push_vendors(&mut bits, vendors);
    bits.text()
}

fn push_vendors(bits: &mut Bits, vendors: &Vendors) {
    match vendors {
        Vendors::Field(field) => {
            bits.push(field.len() as u64, 16);
            bits.push(0, 1);
            bits.0.extend(field);
        }
        Vendors::Ranges { max, ranges } => {
            bits.push((*max).into(), 16);
            bits.push(1, 1);
            push_ranges(bits, ranges);
        }
    }
}

fn push_ranges(bits: &mut Bits, ranges: &Ranges) {
    bits.push(ranges.len() as u64, 12);
    for &(first, last) in ranges {
        bits.push(u64::from(first != last), 1);
        bits.push(first.into(), 16);
        if first != last {
            bits.push(last.into(), 16);
        }
    }
}

/// A GPP header of type 3 and version 1 with the sorted ids. Consecutive ids are a group.
pub(crate) fn gpp_header(ids: &[u32]) -> String {
    let groups: Vec<&[u32]> = ids.chunk_by(|one, next| one + 1 == *next).collect();
    let mut bits = Bits::default();
    bits.push(3, 6);
    bits.push(1, 6);
    bits.push(groups.len() as u64, 12);
    let mut last = 0;
    for group in groups {
        bits.push(u64::from(1 < group.len()), 1);
        bits.fibonacci(group[0] - last);
        last = group[group.len() - 1];
        if 1 < group.len() {
            bits.fibonacci(last - group[0]);
        }
    }
    bits.text()
}

/// A GPP string of sections, sorted by id.
pub(crate) fn gpp(sections: &[(u32, &str)]) -> String {
    let ids: Vec<u32> = sections.iter().map(|&(id, _)| id).collect();
    sections.iter().fold(gpp_header(&ids), |text, (_, section)| text + "~" + section)
}

/// The core segment of a US section: a version and two-bit fields.
pub(crate) fn us_core(version: u8, fields: &[u8]) -> String {
    let mut bits = Bits::default();
    bits.push(version.into(), 6);
    for &field in fields {
        bits.push(field.into(), 2);
    }
    bits.text()
}
