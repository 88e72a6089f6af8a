//! The part of HTTP/1.1 that generator and server need: heads, and bodies with a Content-Length or in chunks,
//! compressed or not. Refuses other transfer encodings and trailers.

use std::io::{self, BufRead, Error, ErrorKind, Read};

use flate2::read::GzDecoder;

/// A request or a response. It is reused, so that most reads allocate little.
#[derive(Default)]
pub(crate) struct Message {
    head: Vec<u8>,
    /// The body as received.
    pub(crate) body: Vec<u8>,
    pub(crate) is_gzip: bool,
    /// Whether the other side closes the connection after this message.
    pub(crate) is_last: bool,
    inflated: Vec<u8>,
}

impl Message {
    /// Reads the next message; `false` if the other side closed the connection.
    pub(crate) fn read(&mut self, from: &mut impl BufRead) -> io::Result<bool> {
        self.head.clear();
        while !self.head.ends_with(b"\r\n\r\n") {
            if from.read_until(b'\n', &mut self.head)? == 0 {
                return if self.head.is_empty() { Ok(false) } else { Err(ErrorKind::UnexpectedEof.into()) };
            }
        }
        self.body.clear();
        (self.is_gzip, self.is_last) = (false, false);
        let (mut length, mut is_chunked) = (0, false);
        let head = str::from_utf8(&self.head).map_err(Error::other)?;
        for (name, value) in head.lines().filter_map(|line| line.split_once(':')) {
            match (&*name.to_ascii_lowercase(), value.trim()) {
                ("content-length", value) => length = value.parse().map_err(Error::other)?,
                ("content-encoding", value) => self.is_gzip = value == "gzip",
                ("connection", value) => self.is_last = value == "close",
                ("transfer-encoding", "chunked") => is_chunked = true,
                ("transfer-encoding", _) => return Err(Error::other("a Transfer-Encoding other than chunked")),
                _ => {}
            }
        }
        if is_chunked {
            self.read_chunks(from)?;
        } else {
            self.read_body(from, length)?;
        }
        Ok(true)
    }

    /// Reads chunks up to the empty one, which ends the body (RFC 9112, section 7.1).
    fn read_chunks(&mut self, from: &mut impl BufRead) -> io::Result<()> {
        loop {
            let mut line = String::new();
            from.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim_end(), 16).map_err(Error::other)?;
            self.read_body(from, length)?;
            let mut end = [0; 2];
            from.read_exact(&mut end)?;
            if end != *b"\r\n" {
                return Err(Error::other("a chunk longer than it says"));
            }
            if length == 0 {
                return Ok(());
            }
        }
    }

    /// Appends `length` bytes to the body.
    fn read_body(&mut self, from: &mut impl BufRead, length: usize) -> io::Result<()> {
        let before = self.body.len();
        self.body.resize(before + length, 0);
        from.read_exact(self.body.get_mut(before..).unwrap_or_default())
    }

    /// The body, decompressed if necessary.
    pub(crate) fn content(&mut self) -> io::Result<&[u8]> {
        if !self.is_gzip {
            return Ok(&self.body);
        }
        self.inflated.clear();
        GzDecoder::new(self.body.as_slice()).read_to_end(&mut self.inflated)?;
        Ok(&self.inflated)
    }

    /// The status code of a response.
    pub(crate) fn status(&self) -> Option<u16> {
        str::from_utf8(self.head.strip_prefix(b"HTTP/1.1 ")?.get(..3)?).ok()?.parse().ok()
    }

    /// Size of head and body.
    pub(crate) fn bytes(&self) -> usize {
        self.head.len() + self.body.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_one_after_the_other() {
        let mut from =
            &b"HTTP/1.1 200 OK\r\ncontent-LENGTH: 3\r\nConnection: close\r\n\r\nabcHTTP/1.1 204 No Content\r\n\r\n"[..];
        let mut message = Message::default();
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.status(), message.body.as_slice(), message.bytes()), (Some(200), &b"abc"[..], 60));
        assert!(message.is_last);
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.status(), message.body.as_slice()), (Some(204), &b""[..]));
        assert!(!message.is_last);
        assert!(!message.read(&mut from).unwrap());
    }

    #[test]
    fn a_compressed_body_is_inflated() {
        let body = {
            use std::io::Write as _;
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(b"{\"id\":1}").unwrap();
            encoder.finish().unwrap()
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len());
        let plain = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        let whole = [head.as_bytes(), &body, plain].concat();
        let mut from = whole.as_slice();
        let mut message = Message::default();
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.is_gzip, message.content().unwrap()), (true, &b"{\"id\":1}"[..]));
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.is_gzip, message.content().unwrap()), (false, &b"{}"[..]));
    }

    #[test]
    fn a_body_in_chunks_is_joined() {
        let whole = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        let both = [whole.as_slice(), b"HTTP/1.1 204 No Content\r\n\r\n"].concat();
        let mut from = both.as_slice();
        let mut message = Message::default();
        assert!(message.read(&mut from).unwrap());
        assert_eq!(message.body, b"abc0123456789");
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.status(), message.body.as_slice()), (Some(204), &b""[..]));
    }

    #[test]
    fn what_is_cut_off_or_of_unknown_length_is_an_error() {
        for text in [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        ] {
            assert!(Message::default().read(&mut text.as_bytes()).is_err(), "{text}");
        }
    }
}
