//! Work of known kinds for benchmarks: each entry point repeats one operation `n` times and returns
//! something that depends on every round. None of them touches storage.
#[starknet::contract]
mod bench {
    use core::array::{ArrayTrait, SpanTrait};
    use core::dict::Felt252DictTrait;
    use core::integer::u256_overflow_mul;
    use core::keccak::keccak_u256s_le_inputs;
    use core::option::OptionTrait;
    use core::pedersen::pedersen as pedersen_hash;
    use core::poseidon::{hades_permutation, poseidon_hash_span};
    use core::sha256::compute_sha256_u32_array;
    use core::starknet::SyscallResultTrait;
    use core::starknet::secp256_trait::{Secp256PointTrait, Secp256Trait};
    use core::starknet::secp256k1::Secp256k1Point;
    use core::traits::Into;

    #[storage]
    struct Storage {}

    #[derive(Copy, Drop)]
    struct Body {
        x: u64,
        y: u64,
        speed: u128,
        weight: felt252,
        is_moving: bool,
    }

    /// The n-th Fibonacci number, by a recursion as deep as n.
    #[external(v0)]
    fn fib(self: @ContractState, n: u32) -> felt252 {
        fib_from(0, 1, n)
    }

    fn fib_from(a: felt252, b: felt252, n: u32) -> felt252 {
        if n == 0 {
            return a;
        }
        fib_from(b, a + b, n - 1)
    }

    /// A chain of n Pedersen hashes.
    #[external(v0)]
    fn pedersen(self: @ContractState, n: u32) -> felt252 {
        pedersen_from(0, n)
    }

    fn pedersen_from(hash: felt252, n: u32) -> felt252 {
        if n == 0 {
            return hash;
        }
        pedersen_from(pedersen_hash(hash, n.into()), n - 1)
    }

    /// A chain of n Poseidon permutations.
    #[external(v0)]
    fn poseidon(self: @ContractState, n: u32) -> felt252 {
        poseidon_from(0, n)
    }

    fn poseidon_from(hash: felt252, n: u32) -> felt252 {
        if n == 0 {
            return hash;
        }
        let (next, _, _) = hades_permutation(hash, n.into(), 2);
        poseidon_from(next, n - 1)
    }

    /// A Poseidon hash of n felts.
    #[external(v0)]
    fn poseidon_span(self: @ContractState, n: u32) -> felt252 {
        poseidon_hash_span(felts(n).span())
    }

    /// A product of n factors of 256 bits, modulo 2^256.
    #[external(v0)]
    fn u256_mul(self: @ContractState, n: u32) -> u256 {
        let factor = u256 {
            low: 0xfedcba9876543210fedcba9876543211, high: 0x123456789abcdef0123456789abcdef1
        };
        u256_product(factor, factor, n)
    }

    fn u256_product(product: u256, factor: u256, n: u32) -> u256 {
        if n == 0 {
            return product;
        }
        let (next, _) = u256_overflow_mul(product, factor);
        u256_product(next, factor, n - 1)
    }

    /// n reads and n writes of a dictionary of up to 1 024 keys.
    #[external(v0)]
    fn dict(self: @ContractState, n: u32) -> felt252 {
        let mut dictionary: Felt252Dict<felt252> = Default::default();
        dict_from(ref dictionary, 0, 1, n);
        dictionary.get(1)
    }

    fn dict_from(ref dictionary: Felt252Dict<felt252>, key: u32, value: felt252, n: u32) {
        if n == 0 {
            return;
        }
        let old = dictionary.get(key.into());
        dictionary.insert(key.into(), old + value);
        let next = if key == 1023 {
            0
        } else {
            key + 1
        };
        dict_from(ref dictionary, next, old + n.into(), n - 1)
    }

    /// n times Keccak-256 of 256 bits.
    #[external(v0)]
    fn keccak(self: @ContractState, n: u32) -> u256 {
        keccak_from(1, n)
    }

    fn keccak_from(hash: u256, n: u32) -> u256 {
        if n == 0 {
            return hash;
        }
        keccak_from(keccak_u256s_le_inputs(array![hash].span()), n - 1)
    }

    /// n multiplications of a point of secp256k1, each followed by an addition.
    #[external(v0)]
    fn secp256k1(self: @ContractState, n: u32) -> (u256, u256) {
        let generator: Secp256k1Point = Secp256Trait::<Secp256k1Point>::get_generator_point();
        let point = secp256k1_from(generator, generator, n);
        point.get_coordinates().unwrap_syscall()
    }

    fn secp256k1_from(point: Secp256k1Point, generator: Secp256k1Point, n: u32) -> Secp256k1Point {
        if n == 0 {
            return point;
        }
        let scalar = u256 {
            low: 0xfedcba9876543210fedcba9876543210, high: 0x7fffffffffffffff0123456789abcdef
        };
        let product = point.mul(scalar).unwrap_syscall();
        secp256k1_from(product.add(generator).unwrap_syscall(), generator, n - 1)
    }

    /// n times SHA-256 of eight words.
    #[external(v0)]
    fn sha256(self: @ContractState, n: u32) -> u32 {
        sha256_from(0, n)
    }

    fn sha256_from(seed: u32, n: u32) -> u32 {
        if n == 0 {
            return seed;
        }
        let words = array![seed, n, 2, 3, 4, 5, 6, 7];
        let [first, _, _, _, _, _, _, _] = compute_sha256_u32_array(words, 0, 0);
        sha256_from(first, n - 1)
    }

    /// The sum of an array of n felts.
    #[external(v0)]
    fn array(self: @ContractState, n: u32) -> felt252 {
        sum(felts(n).span(), 0)
    }

    fn sum(mut values: Span<felt252>, total: felt252) -> felt252 {
        match values.pop_front() {
            Option::Some(value) => sum(values, total + *value),
            Option::None => total,
        }
    }

    fn felts(n: u32) -> Array<felt252> {
        let mut values = ArrayTrait::new();
        append(ref values, n);
        values
    }

    fn append(ref values: Array<felt252>, n: u32) {
        if n == 0 {
            return;
        }
        values.append(n.into());
        append(ref values, n - 1)
    }

    /// n rounds over an array of three structs: the first one is removed, changed and appended.
    #[external(v0)]
    fn structs(self: @ContractState, n: u32) -> felt252 {
        let mut bodies = ArrayTrait::new();
        bodies.append(Body { x: 1, y: 2, speed: 3, weight: 4, is_moving: true });
        bodies.append(Body { x: 5, y: 6, speed: 7, weight: 8, is_moving: false });
        bodies.append(Body { x: 9, y: 10, speed: 11, weight: 12, is_moving: true });
        move_all(bodies, n)
    }

    fn move_all(mut bodies: Array<Body>, n: u32) -> felt252 {
        let body = bodies.pop_front().unwrap();
        if n == 0 {
            return body.weight + body.x.into();
        }
        bodies.append(moved(body));
        move_all(bodies, n - 1)
    }

    fn moved(body: Body) -> Body {
        if body.is_moving {
            Body {
                x: (body.x + 3) % 1000,
                y: (body.y * 7) / 5 % 1000,
                speed: (body.speed & 0xff) + 1,
                weight: body.weight * 3,
                is_moving: body.x < body.y,
            }
        } else {
            Body { x: body.y, y: body.x, speed: body.speed, weight: body.weight, is_moving: true }
        }
    }
}
