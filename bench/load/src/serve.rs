//! A server that does nothing. Times measured on it are those of the generator and the sockets.

use std::{
    io::{self, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    thread,
};

use crate::http::Message;

/// Prints its address, then serves until standard input ends.
pub(crate) fn serve() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    writeln!(io::stdout(), "{}", listener.local_addr()?)?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Answers all requests of a connection with 204.
fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut from = BufReader::new(stream.try_clone()?);
    let mut request = Message::default();
    while request.read(&mut from)? {
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
    }
    Ok(())
}
