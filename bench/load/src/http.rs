//! The part of HTTP/1.1 that generator and server need: heads, and bodies with a Content-Length or in chunks, compressed
//! or not.

use std::io::{self, BufRead, Error, ErrorKind, Read};

use flate2::read::GzDecoder;

/// A request or a response. It is reused, so that most reads allocate nothing.
#[derive(Default)]
pub(crate) struct Message {
    line: Vec<u8>,
    first: Vec<u8>,
    /// The body as received.
    pub(crate) body: Vec<u8>,
    pub(crate) is_gzip: bool,
    inflated: Vec<u8>,
    /// Size of head and body.
    pub(crate) bytes: usize,
}

impl Message {
    /// Reads the next message; `false` if the other side closed the connection.
    pub(crate) fn read(&mut self, from: &mut impl BufRead) -> io::Result<bool> {
        self.first.clear();
        self.bytes = from.read_until(b'\n', &mut self.first)?;
        if self.bytes == 0 {
            return Ok(false);
        }
        let mut length = 0;
        let mut is_chunked = false;
        self.is_gzip = false;
        loop {
            self.line.clear();
            let read = from.read_until(b'\n', &mut self.line)?;
            self.bytes += read;
            match self.line.trim_ascii_end() {
                _ if read == 0 => return Err(ErrorKind::UnexpectedEof.into()),
                [] => break,
                line => {
                    if let Some(value) = value_of(b"content-length:", line) {
                        length = number(value).ok_or_else(|| Error::other("a Content-Length that is not a number"))?;
                    } else if let Some(value) = value_of(b"content-encoding:", line) {
                        self.is_gzip = value == b"gzip";
                    } else if let Some(value) = value_of(b"transfer-encoding:", line) {
                        if value != b"chunked" {
                            return Err(Error::other("a Transfer-Encoding other than chunked"));
                        }
                        is_chunked = true;
                    }
                }
            }
        }
        self.body.clear();
        if is_chunked {
            self.read_chunks(from)?;
        } else {
            self.read_body(from, length)?;
        }
        Ok(true)
    }

    /// Reads chunks up to the empty one, which ends the body (RFC 9112, section 7.1). Ignores trailers.
    fn read_chunks(&mut self, from: &mut impl BufRead) -> io::Result<()> {
        loop {
            let length = hex(self.read_line(from)?).ok_or_else(|| Error::other("a chunk without a length"))?;
            if length == 0 {
                while !self.read_line(from)?.is_empty() {}
                return Ok(());
            }
            self.read_body(from, length)?;
            if !self.read_line(from)?.is_empty() {
                return Err(Error::other("a chunk longer than it says"));
            }
        }
    }

    /// Appends `length` bytes to the body.
    fn read_body(&mut self, from: &mut impl BufRead, length: usize) -> io::Result<()> {
        let before = self.body.len();
        self.body.resize(before + length, 0);
        from.read_exact(self.body.get_mut(before..).unwrap_or_default())?;
        self.bytes += length;
        Ok(())
    }

    /// The next line without its end.
    fn read_line(&mut self, from: &mut impl BufRead) -> io::Result<&[u8]> {
        self.line.clear();
        let read = from.read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.bytes += read;
        Ok(self.line.trim_ascii_end())
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
        let digits = self.first.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
        number(digits)?.try_into().ok()
    }
}

/// The value of a header, if the line has that name; `name` in lower case with its colon.
fn value_of<'l>(name: &[u8], line: &'l [u8]) -> Option<&'l [u8]> {
    let (start, value) = line.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(value.trim_ascii())
}

fn hex(digits: &[u8]) -> Option<usize> {
    usize::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

fn number(digits: &[u8]) -> Option<usize> {
    str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_one_after_the_other() {
        let mut from = &b"HTTP/1.1 200 OK\r\ncontent-LENGTH: 3\r\n\r\nabcHTTP/1.1 204 No Content\r\n\r\n"[..];
        let mut message = Message::default();
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.status(), message.body.as_slice(), message.bytes), (Some(200), &b"abc"[..], 41));
        assert!(message.read(&mut from).unwrap());
        assert_eq!((message.status(), message.body.as_slice()), (Some(204), &b""[..]));
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
        assert_eq!((message.body.as_slice(), message.bytes), (&b"abc0123456789"[..], whole.len()));
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
