//! Reads the file of prepared requests. Each one is a line `STATUS ENCODING LENGTH BEGIN` and then LENGTH bytes, a
//! whole HTTP/1.1 request. The expected response has STATUS, ENCODING (`gzip` or `identity`), and a body that starts
//! with BEGIN, which may be empty.

/// A request and the expected response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The bytes to send, head and body.
    pub(crate) bytes: Vec<u8>,
    pub(crate) status: u16,
    /// Whether the response must be compressed.
    pub(crate) is_gzip: bool,
    /// The first bytes of the response body.
    pub(crate) begin: Vec<u8>,
}

/// All requests of a file, at least one; `None` if the file is invalid.
pub(crate) fn read(mut file: &[u8]) -> Option<Vec<Request>> {
    let mut requests = Vec::new();
    while !file.is_empty() {
        let end = file.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = (file.get(..end)?, file.get(end + 1..)?);
        let mut parts = line.splitn(4, |&byte| byte == b' ');
        let status = number(parts.next()?)?;
        let is_gzip = match parts.next()? {
            b"gzip" => true,
            b"identity" => false,
            _ => return None,
        };
        let length = number(parts.next()?)?;
        let begin = parts.next()?.to_vec();
        requests.push(Request { bytes: rest.get(..length)?.to_vec(), status: status.try_into().ok()?, is_gzip, begin });
        file = rest.get(length..)?;
    }
    (!requests.is_empty()).then_some(requests)
}

fn number(digits: &[u8]) -> Option<usize> {
    str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_with_line_breaks_in_them() {
        let requests = read(b"204 identity 7 \nPOST\n\n!200 gzip 3 {\"id\": 1\nabc").unwrap();
        assert_eq!(
            requests,
            [
                Request { bytes: b"POST\n\n!".to_vec(), status: 204, is_gzip: false, begin: Vec::new() },
                Request { bytes: b"abc".to_vec(), status: 200, is_gzip: true, begin: b"{\"id\": 1".to_vec() },
            ]
        );
    }

    #[test]
    fn what_is_cut_off_or_empty_is_refused() {
        for file in ["", "204 gzip 7 \nPOST", "204 gzip 7", "204\nPOST", "x gzip 1 \na", "204 br 1 \na"] {
            assert_eq!(read(file.as_bytes()), None, "{file}");
        }
    }
}
