//! A privacy verdict allocates nothing, for any signals.

mod counting;

use core::num::NonZeroU16;

use bidder_wasm::privacy::{self, Settings, Verdict};
use bidder_wasm::request::{Regs, Request, User};
use counting::allocations_of;

/// The TCF section of `iab_gpp`'s test "very large string".
const LARGE: &str = "CQMC4oAQMC4oAPoABABGBaEAAP_gAP_gAAqIKxtX_G__bXlv-X736ftkeY1f99h77sQxBhbJs-4FzLvW_JwX32E7NE36tqYKmRIAu3TBIQNtHJjURVChaogVrTDsaEyUoTtKJ-BkiHMRY2dYCFxvm4tjeQCZ5vr_91d52R_t7dr-3dzyy5hnv3a9_-S1WJidK5-tHfv9bROb-_I-9_x-_4v4_N7pE2_eT1t_tWvt739-8tv_9__99__7_f______3_-_f__f____grG1f8b_9teW_5fvfp-2R5jV_32HvuxDEGFsmz7gXMu9b8nBffYTs0Tfq2pgqZEgC7dMEhA20cmNRFUKFqiBWtMOxoTJShO0on4GSIcxFjZ1gIXG-bi2N5AJnm-v_3V3nZH-3t2v7d3PLLmGe_dr3_5LVYmJ0rn60d-_1tE5v78j73_H7_i_j83ukTb95PW3-1a-3vf37y2__3__33__v9_______f_79__9____-AAA";

#[test]
fn a_verdict_allocates_nothing() {
    let settings = Settings { vendor_id: NonZeroU16::new(10), ..Settings::default() };
    let gpp = "DBACNY~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA~1YNN";
    let of = |gpp, gpp_sid, consent| Request {
        regs: Regs { gdpr: Some(true), us_privacy: "1YNN", gpp, gpp_sid, ..Regs::default() },
        user: User { consent, ..User::default() },
        ..Request::default()
    };
    let rows = [
        (of("", &[], LARGE), Verdict::Personal { precise_geo: false }),
        (of("", &[], LARGE.split_at(200).0), Verdict::None),
        (of(gpp, &[2, 6], LARGE), Verdict::None),
        (of("DBABLA~BVVVVVVVVWA.YA", &[7], LARGE), Verdict::Contextual),
        (of("~~~", &[1, 2, 3, 7, 70], "\u{e9}"), Verdict::None),
    ];
    let mut verdicts = rows.map(|_| Verdict::None);
    let made = allocations_of(|| verdicts = rows.map(|(request, _)| privacy::verdict(&request, &settings)));
    assert_eq!(made, 0);
    assert_eq!(verdicts, rows.map(|(_, expected)| expected));
    assert_ne!(allocations_of(|| drop(vec![0_u8; 100])), 0, "the allocator counts");
}
