;; A module with the exports that the Worker calls. Its `load` succeeds and its `decide` traps, which
;; the real module never does. `trapping.wasm` is this text, assembled.
(module
  (memory (export "memory") 4)
  (data (i32.const 0) "{\"campaigns\":0,\"reasons\":[],\"untargeted\":[0,0]}")
  (func (export "reserve") (param i32) (result i32) (i32.const 1024))
  ;; In the real module, a trap leaves the state borrowed, so every later call traps too.
  (global $trapped (mut i32) (i32.const 0))
  (func (export "snapshot") (result i32) (if (global.get $trapped) (then unreachable)) (i32.const 1024))
  (func (export "snapshot_len") (result i32) (i32.const 8))
  (func (export "load") (param i32) (result i32) (i32.const 1))
  (func (export "output") (result i32) (i32.const 0))
  (func (export "output_len") (result i32) (i32.const 47))
  (func (export "decide") (param i32 i32 f64 i32 i32) (result i32) (global.set $trapped (i32.const 1)) unreachable))
